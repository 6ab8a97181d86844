import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CoxswainError } from '../../wire/util/errors.js';
import type { SpawnCommand, Spawner, SpawnRequest } from '../cli/spawner.js';
import { findProgram } from './checks.js';
import { configView, readInConfig } from './config-folder.js';
import { checkShown } from './hidden-folders.js';
import { wayToModel } from './model-only.js';
import { mountsFor } from './mounts.js';

/** The options of {@link bubblewrap}. */
export interface BubblewrapOptions {
  /** More folders and files of this machine that the CLI may change, at the same paths. */
  readonly writable?: readonly string[] | undefined;
  /** More folders and files of this machine that the CLI may read, at the same paths. */
  readonly readable?: readonly string[] | undefined;
  /**
   * `host` reaches everything that this machine reaches, also servers on loopback. `off` has only a loopback of its own;
   * the CLI then needs no network or no model. `model` reaches only the model's address, over a relay of this host; it
   * needs Node, and a key, since the login server is out of reach. Default: `host`.
   */
  readonly network?: 'host' | 'model' | 'off' | undefined;
  /**
   * Whether the CLI sees the user's whole config folder with the login and all transcripts. Default: false: it sees
   * the transcripts of its working folder, the settings, agents, commands, skills and plugins.
   */
  readonly sharesConfig?: boolean | undefined;
  /** The program. Default: `bwrap`, looked up in PATH. */
  readonly program?: string | undefined;
}

/** A sandbox on Linux: own mounts, an empty home, own processes. Paths are the same inside and outside. */
export function bubblewrap(options: BubblewrapOptions = {}): Spawner {
  return {
    name: 'bubblewrap',
    hasOwnPrograms: false,
    hasOwnFolders: false,
    prepare: (request) => command(request, options),
  };
}

async function command(request: SpawnRequest, options: BubblewrapOptions): Promise<SpawnCommand> {
  if (process.platform !== 'linux')
    throw new CoxswainError('SPAWN_FAILED', `bubblewrap needs Linux, and this is ${process.platform}.`);
  const { program = 'bwrap', network = 'host' } = options;
  const { env, cwd } = request;
  const programs = programFolders(request, network === 'model' ? [process.execPath] : []);
  for (const folder of programs) checkShown(folder, 'bubblewrap', request);
  const visible = [...SYSTEM, ...programs, ...visibleConfig(request, options)];
  const { writable, readable } = await mountsFor(request, options, { spawner: 'bubblewrap', visible });
  // A link in PATH, as installers create it, would lead nowhere inside.
  const [file = '', ...args] = [request.file, ...request.args].map((word) =>
    word === request.file || word === request.cli ? realpathSync(word) : word,
  );
  const bwrap = findProgram(program, 'bubblewrap');
  const { privateFolder } = request;
  const way =
    network === 'model' && privateFolder !== undefined ? await wayToModel(env, privateFolder) : undefined;
  return {
    file: bwrap,
    args: [
      ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
      ...(network === 'host' ? [] : ['--unshare-net']),
      ...['--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...systemMounts(),
      ...emptyFolders(env).flatMap((folder) => ['--tmpfs', folder]),
      ...(options.sharesConfig === true ? sharedConfig(env) : ownConfig(request)),
      ...[...programs, ...readable].flatMap((path) => ['--ro-bind', path, path]),
      ...writable.flatMap((path) => ['--bind', path, path]),
      ...request.files.flatMap((path) => ['--ro-bind', path, path]),
      ...(way === undefined ? [] : ['--bind', way.folder, way.folder]),
      ...['--chdir', cwd, '--', ...(way?.wrap([file, ...args]) ?? [file, ...args])],
    ],
    env,
    cwd,
    ...(way === undefined ? {} : { end: way.close }),
  };
}

/** The parts of the system that programs need, and nothing about its users. */
function systemMounts(): string[] {
  return [
    ...SYSTEM.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
  ];
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt'];

const ETC = [
  ...[
    'resolv.conf',
    'hosts',
    'nsswitch.conf',
    'passwd',
    'group',
    'ssl',
    'pki',
    'ca-certificates',
    'alternatives',
  ],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'gitconfig', 'services', 'protocols'],
];

/** The home and the folder for temporary files are new and empty. */
function emptyFolders({ HOME = '', TMPDIR = '' }: SpawnRequest['env']): string[] {
  return [HOME, TMPDIR].filter((path) => !['', '/', '/tmp'].includes(path));
}

function ownConfig(request: SpawnRequest): string[] {
  const config = configFolder(request.env);
  if (config === undefined) return [];
  const { folder, kept, read } = configView(config, request);
  return [
    ...['--tmpfs', folder],
    ...read.flatMap((path) => ['--ro-bind-try', path, path]),
    ...kept.flatMap((path) => ['--bind', path, path]),
  ];
}

/** What it sees of the config folder. */
function visibleConfig({ env }: SpawnRequest, { sharesConfig }: BubblewrapOptions): readonly string[] {
  const config = configFolder(env);
  if (config === undefined) return [];
  return sharesConfig === true ? [config] : readInConfig(config);
}

function sharedConfig(env: SpawnRequest['env']): string[] {
  const config = configFolder(env);
  if (config === undefined) return [];
  const { HOME = '', CLAUDE_CONFIG_DIR } = env;
  const file = join(HOME, '.claude.json');
  mkdirSync(config, { recursive: true, mode: 0o700 });
  return [...['--bind', config, config], ...(CLAUDE_CONFIG_DIR ? [] : ['--bind-try', file, file])];
}

function configFolder({ HOME, CLAUDE_CONFIG_DIR }: SpawnRequest['env']): string | undefined {
  if (CLAUDE_CONFIG_DIR) return CLAUDE_CONFIG_DIR;
  return HOME ? join(HOME, '.claude') : undefined;
}

/** The folders of the CLI and of its interpreter, unless they belong to the system. */
function programFolders({ file, cli }: SpawnRequest, more: readonly string[]): string[] {
  const folders = [file, cli, ...more].map((path) => dirname(realpathSync(path)));
  return [...new Set(folders)].filter((path) => !/^\/(?:usr|bin|opt)(?:\/|$)/.test(path));
}
