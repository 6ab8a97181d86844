// The tarball to publish: its size, and no trace of the machine it was made on.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Runnable examples and every page that the README links to are part of it. */
const MOST_BYTES = 1_700_000;

/** Packs the build into `folder`; returns the path of the tarball and of its unpacked contents. */
export function pack(folder) {
  const options = { encoding: 'utf8', shell: process.platform === 'win32' };
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder],
    options,
  );
  const [{ filename }] = JSON.parse(output);
  const file = join(folder, filename);
  execFileSync('tar', ['-xzf', file, '-C', folder]);
  return { file, content: join(folder, 'package') };
}

/** Problems of the tarball, as sentences. */
export function tarballProblems({ file, content }) {
  const { size } = statSync(file);
  const tooBig = size > MOST_BYTES ? [`the tarball has ${size} bytes, more than ${MOST_BYTES}`] : [];
  const files = readdirSync(content, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return [...tooBig, ...files.flatMap((entry) => machineTraces(join(entry.parentPath, entry.name)))];
}

function machineTraces(path) {
  const text = readFileSync(path, 'utf8');
  return [process.cwd(), homedir()]
    .filter((place) => text.includes(`${place}/`) || text.includes(`${place}\\`))
    .map((place) => `${path} mentions ${place}, a folder of this machine`);
}
