// Writes test/recordings: one session on each of two real CLIs, offline against a scripted model, trimmed to the
// wire; and from it a file of a newer format, a truncated one, and one with broken lines.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSession } from '../src/entry/sdk/index.ts';
import { knownRealClis, scriptModel } from '../src/lab/testing/index.ts';
import { scrubbedEnvironment } from '../src/lab/testing/real-cli/scrubbed-environment.ts';
import { makeThrowawayFolders } from '../src/lab/testing/real-cli/throwaway-folders.ts';
import { MODEL_SCRIPT, runHost, SEEN } from '../test/recordings/host.mjs';
import { trimEntry } from './capture/trim-entry.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';

const FOLDER = 'test/recordings';
const VERSIONS = ['2.0.73', '2.1.326'];

if (!(await ensureInstalled('test/real-clis'))) process.exit(1);
for (const version of VERSIONS) {
  const text = await record(version);
  await mkdir(join(FOLDER, version), { recursive: true });
  await writeFile(join(FOLDER, version, 'note.trace'), text);
  console.log(`${version}: ${text.split('\n').length - 1} entries, ${text.length} bytes`);
}
await writeDamaged(await readFile(join(FOLDER, '2.0.73', 'note.trace'), 'utf8'));

async function record(version) {
  const cli = knownRealClis().find((known) => known.version === version);
  if (cli === undefined) throw new Error(`The real CLI ${version} is not installed.`);
  const folders = await makeThrowawayFolders();
  const model = await scriptModel(MODEL_SCRIPT);
  const path = join(folders.tmp, 'note.trace');
  try {
    const seen = await runHost(openSession, {
      cli: cli.path,
      cwd: folders.cwd,
      envMode: 'replace',
      settingSources: [],
      model: 'sonnet',
      env: scrubbedEnvironment({
        home: folders.home,
        tmp: folders.tmp,
        modelUrl: model.url,
        extra: { IS_SANDBOX: '1' },
      }),
      record: {
        to: path,
        redact: {
          rules: [
            { find: folders.cwd, replace: '/srv/work' },
            { find: folders.home, replace: '/srv/home' },
            { find: folders.tmp, replace: '/srv/tmp' },
            { find: folders.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), replace: '-srv-work' },
          ],
        },
      },
    });
    if (JSON.stringify(seen) !== JSON.stringify(SEEN))
      throw new Error(`The host saw ${JSON.stringify(seen)}.`);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    return `${lines.map((line) => trimEntry(line)).join('\n')}\n`;
  } finally {
    await model.close();
    await folders.remove();
  }
}

async function writeDamaged(text) {
  const lines = text.trimEnd().split('\n');
  const future = lines.map((line) => line.replace('{"v":1,', '{"v":99,'));
  await writeFile(join(FOLDER, 'from-the-future.trace'), `${future.slice(0, 3).join('\n')}\n`);
  await writeFile(join(FOLDER, 'cut.trace'), text.slice(0, text.lastIndexOf('"type":"result"') + 40));
  const broken = lines.flatMap((line, index) =>
    index === 3 ? ['{"v":1,"kind":"li', '[]', '{"kind":"line"}', line] : [line],
  );
  await writeFile(join(FOLDER, 'broken-lines.trace'), `${broken.join('\n')}\n`);
  await rm(join(FOLDER, 'empty.trace'), { force: true });
  await writeFile(join(FOLDER, 'empty.trace'), '');
}
