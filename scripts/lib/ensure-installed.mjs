// Installs a side package (tools, real CLIs) when its lockfile changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Resolves to whether the packages of `folder` are there; says so on stderr when it installs. */
export async function ensureInstalled(folder) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules', '.coxswain-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return true;
  console.error(`installing ${folder} (once per lockfile) …`);
  const code = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (code !== 0) return false;
  writeFileSync(stamp, lock);
  return true;
}
