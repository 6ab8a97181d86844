import { searchPathFiles } from '../../../wire/transport/process/program-path.js';
import { pathsOf, readVariable, type System } from '../../../wire/transport/process/system.js';

/** The search rules. */
export type FoundHow = 'option' | 'environment' | 'package' | 'path' | 'usual-place';

/** A place to search for a CLI. */
export interface Place {
  /** The search rule for this place. */
  readonly how: FoundHow;
  /** The file. */
  readonly path: string;
}

/** The packages that contain a CLI: its own, and the official SDK, which a project may still have. */
const PACKAGES = ['claude-code', 'claude-agent-sdk'];

/** npm packages near the project and their platform binaries, nearest folder first. */
export function packagePlaces(from: readonly string[], system: System): Place[] {
  const { join } = pathsOf(system.platform);
  const folders = [...new Set(from.flatMap((folder) => upwards(folder, system)))];
  const scopes = folders.map((folder) => join(folder, 'node_modules', '@anthropic-ai'));
  const paths = scopes.flatMap((scope) => PACKAGES.flatMap((name) => programsOf(name, scope, system)));
  return paths.map((path) => ({ how: 'package', path }));
}

function programsOf(name: string, scope: string, system: System): string[] {
  const { join } = pathsOf(system.platform);
  // A content-addressed store (pnpm) keeps the platform package next to the real folder of the main one.
  const realScope = join(system.files.real(join(scope, name)), '..');
  const scopes = [scope, join(scope, name, 'node_modules', '@anthropic-ai'), realScope];
  const binaries = [...new Set(scopes)].flatMap((each) =>
    platformPackages(name, system).map((one) => join(each, one, programName('claude', system))),
  );
  return [join(scope, name, 'cli.js'), ...binaries];
}

/** The places in PATH. */
export function searchPathPlaces(name: string, searchPath: string, system: System): Place[] {
  return searchPathFiles(name, searchPath, system.platform).map((path) => ({ how: 'path', path }));
}

/** Where installers put the CLI. */
export function usualPlaces(system: System): Place[] {
  const paths = system.platform === 'win32' ? windowsPlaces(system) : posixPlaces(system);
  return [...new Set(paths)].map((path) => ({ how: 'usual-place', path }));
}

/** The platform packages that may contain the binary, the likelier one first. */
function platformPackages(main: string, { platform, arch }: System): string[] {
  const name = `${main}-${platform}-${arch}`;
  return platform === 'linux' ? [name, `${name}-musl`] : [name];
}

function programName(name: string, { platform }: System): string {
  return platform === 'win32' ? `${name}.exe` : name;
}

function upwards(folder: string, { platform }: System): string[] {
  const { dirname, basename } = pathsOf(platform);
  const folders: string[] = [];
  for (let each = folder; ; each = dirname(each)) {
    if (basename(each) !== 'node_modules') folders.push(each);
    if (dirname(each) === each) return folders;
  }
}

function posixPlaces({ home, execPath, platform }: System): string[] {
  const { join } = pathsOf(platform);
  const nodeFolder = join(execPath, '..');
  return [
    join(home, '.local/bin/claude'),
    join(home, '.claude/local/claude'),
    '/usr/local/bin/claude',
    '/opt/homebrew/bin/claude',
    '/usr/bin/claude',
    join(nodeFolder, 'claude'),
    join(nodeFolder, '../lib/node_modules/@anthropic-ai/claude-code/cli.js'),
    join(home, '.npm-global/bin/claude'),
    join(home, '.bun/bin/claude'),
    join(home, '.volta/bin/claude'),
    join(home, '.yarn/bin/claude'),
    join(home, 'node_modules/.bin/claude'),
    join(home, platform === 'darwin' ? 'Library/pnpm/claude' : '.local/share/pnpm/claude'),
  ];
}

function windowsPlaces(system: System): string[] {
  const { join } = pathsOf(system.platform);
  const variable = (name: string) => readVariable(system.platform, system.env, name);
  const appData = variable('APPDATA') ?? join(system.home, 'AppData', 'Roaming');
  const localAppData = variable('LOCALAPPDATA') ?? join(system.home, 'AppData', 'Local');
  return [
    join(system.home, '.local', 'bin', 'claude.exe'),
    join(appData, 'npm', 'claude.cmd'),
    join(appData, 'npm', 'node_modules', '@anthropic-ai', 'claude-code', 'cli.js'),
    join(localAppData, 'Microsoft', 'WinGet', 'Links', 'claude.exe'),
    join(system.home, '.claude', 'local', 'claude.cmd'),
    join(system.home, '.bun', 'bin', 'claude.exe'),
    join(system.execPath, '..', 'claude.cmd'),
    join(localAppData, 'pnpm', 'claude.cmd'),
    join(localAppData, 'Volta', 'bin', 'claude.exe'),
  ];
}
