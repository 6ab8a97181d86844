// Real CLIs of any version, installed one by one into a cache outside the repository and deleted after use.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareVersions } from '../../../src/wire/util/versions.ts';

const PACKAGE = '@anthropic-ai/claude-code';
/** The oldest known version. */
const OLDEST = '2.0.0';
/** From here on the package has no JavaScript, but one binary for each system. */
export const FIRST_NATIVE = '2.1.113';

/** New CLIs are probed on the day they are published, whatever age `.npmrc` demands of dependencies. */
const ANY_AGE = '--min-release-age=0';

const shell = process.platform === 'win32';
const run = promisify(execFile);

/** The default folder for CLIs and what was found on them. */
export function defaultCache() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'coxswain', 'ledger');
}

/** The versions on npm, oldest first. */
export async function publishedVersions() {
  const { stdout } = await run('npm', ['view', PACKAGE, 'versions', '--json', '--loglevel=error', ANY_AGE], {
    shell,
  });
  return JSON.parse(stdout)
    .filter((version) => !version.includes('-') && compareVersions(version, OLDEST) >= 0)
    .sort(compareVersions);
}

/** Installs a version and returns the path of its program. Runs no install scripts. */
export async function installCli(cache, version) {
  const folder = join(cache, 'clis', version);
  if (!existsSync(folder)) {
    const half = `${folder}.half`;
    await rm(half, { recursive: true, force: true });
    await mkdir(half, { recursive: true });
    await run('npm', ['pack', '--silent', '--ignore-scripts', ANY_AGE, `${packageOf(version)}@${version}`], {
      cwd: half,
      shell,
    });
    const [tarball] = await readdir(half);
    await run('tar', ['-xzf', tarball], { cwd: half });
    await rm(join(half, tarball));
    await rename(half, folder);
  }
  const found = ['cli.js', 'claude', 'claude.exe']
    .map((name) => join(folder, 'package', name))
    .find(existsSync);
  if (found === undefined) throw new Error(`the package of ${version} has no program`);
  return found;
}

/** Deletes a version again. */
export async function removeCli(cache, version) {
  await rm(join(cache, 'clis', version), { recursive: true, force: true });
}

function packageOf(version) {
  return compareVersions(version, FIRST_NATIVE) < 0
    ? PACKAGE
    : `${PACKAGE}-${process.platform}-${process.arch}`;
}
