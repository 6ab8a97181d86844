// Installs a side package (checkers, real CLIs, other SDKs, other Nodes) if its lockfile changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { withoutOptional } from './side-packages.mjs';

// No install scripts: they may download from elsewhere, and nothing here needs them.
// Few and short retries: without a network it should fail in seconds, not minutes.
const INSTALL = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/** Resolves to whether the packages of `folder` are installed; reports on stderr when it installs. */
export async function ensureInstalled(folder) {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  const stamp = join(folder, 'node_modules', '.coxswain-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  console.error(`installing ${folder} (once per lockfile) …`);
  const omit = withoutOptional.includes(folder) ? ['--omit=optional'] : [];
  const code = await run('npm', [...INSTALL, ...omit], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (code !== 0) return false;
  writeFileSync(stamp, hash);
  return true;
}
