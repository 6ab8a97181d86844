import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject } from '../../../wire/protocol/frames.js';

/** A real CLI that is installed in a folder of npm packages. */
export interface KnownRealCli {
  /** Its version. */
  readonly version: string;
  /** `cli.js` of an old CLI, the binary of a new one. */
  readonly path: string;
}

/** Where {@link knownRealClis} searches. */
export interface KnownRealClisOptions {
  /** A folder of npm packages. Default: `COXSWAIN_REAL_CLIS` and the folders near `cwd`. */
  readonly folder?: string;
  /** The folder where the search starts. */
  readonly cwd?: string;
  /** The environment, which may name a folder. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The system. Default: this one. */
  readonly platform?: string;
  /** The processor. Default: this one. */
  readonly arch?: string;
}

/** Lists the real CLIs that are installed and can run here, each version once, oldest first. */
export function knownRealClis(options: KnownRealClisOptions = {}): readonly KnownRealCli[] {
  const { platform = process.platform, arch = process.arch } = options;
  const found = new Map<string, KnownRealCli>();
  for (const folder of foldersToSearch(options)) {
    for (const cli of clisIn(folder, `${platform}-${arch}`)) {
      if (!found.has(cli.version)) found.set(cli.version, cli);
    }
  }
  return [...found.values()].sort((a, b) => compareVersions(a.version, b.version));
}

/** The folders of npm packages that are searched, in order. */
export function foldersToSearch({
  folder,
  cwd = process.cwd(),
  env = process.env,
}: KnownRealClisOptions): readonly string[] {
  if (folder !== undefined) return [resolve(cwd, folder)];
  const named = env.COXSWAIN_REAL_CLIS;
  const fromEnv = named === undefined || named === '' ? [] : [resolve(cwd, named)];
  const near = upwards(resolve(cwd)).flatMap((each) => [
    join(each, 'test', 'real-clis', 'node_modules'),
    join(each, 'node_modules'),
  ]);
  return [...fromEnv, ...near];
}

const SCOPE = '@anthropic-ai';

function upwards(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function clisIn(folder: string, target: string): readonly KnownRealCli[] {
  const aliases = namesIn(folder).filter((name) => name.startsWith('claude-'));
  const scoped = namesIn(join(folder, SCOPE)).filter((name) => isForTarget(name, target));
  const packages = [...aliases, ...scoped.map((name) => join(SCOPE, name))];
  return packages.flatMap((name) => cliIn(join(folder, name)));
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** `claude-code` itself, or the package with the binary for this system (npm chooses the C library). */
function isForTarget(name: string, target: string): boolean {
  return ['claude-code', `claude-code-${target}`, `claude-code-${target}-musl`].includes(name);
}

function cliIn(folder: string): readonly KnownRealCli[] {
  const version = versionIn(folder);
  const path = ['cli.js', 'claude', 'claude.exe'].map((name) => join(folder, name)).find(existsSync);
  return version === undefined || path === undefined ? [] : [{ version, path }];
}

/** The version of a CLI package; with an alias, the manifest has the real name. */
function versionIn(folder: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!isObject(manifest) || !String(manifest.name).startsWith(`${SCOPE}/claude-code`)) return undefined;
    return typeof manifest.version === 'string' ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
