import { existsSync } from 'node:fs';
import { CoxswainError } from '../../wire/util/errors.js';
import type { SpawnCommand, Spawner, SpawnRequest } from '../cli/spawner.js';
import { defaultConfigDir } from '../transcripts/project-folders.js';
import { findProgram, runToEnd } from './checks.js';
import { configView, readInConfig } from './config-folder.js';
import { mountsFor } from './mounts.js';
import { RELAY_SCRIPT } from './relay-script.js';

/** The options of {@link container}. */
export interface ContainerOptions {
  /** The image, which must exist on this machine and contain the CLI and `sh`. */
  readonly image: string;
  /** The command line of docker or podman. Default: `docker`. */
  readonly program?: string | undefined;
  /** More folders and files of this machine that the CLI may change, at the same paths. */
  readonly writable?: readonly string[] | undefined;
  /** More folders and files of this machine that the CLI may read, at the same paths. */
  readonly readable?: readonly string[] | undefined;
  /** The network, such as `none` or the name of one. Default: that of the program, usually a bridge. */
  readonly network?: string | undefined;
  /** The user inside, as `uid:gid`. Default: this user, so that files in the working folder stay yours. */
  readonly user?: string | undefined;
  /** The most memory, such as `2g`. Default: no limit. */
  readonly memory?: string | undefined;
  /** The most processors, such as 1.5. Default: no limit. */
  readonly cpus?: number | undefined;
  /** The most processes. Default: 512. */
  readonly pids?: number | undefined;
  /** More arguments for `run`. */
  readonly args?: readonly string[] | undefined;
}

/** A new container for each CLI, removed with it. The working folder has the same path inside. */
export function container(options: ContainerOptions): Spawner {
  return {
    name: `container ${options.image}`,
    hasOwnPrograms: true,
    hasOwnFolders: false,
    prepare: (request) => command(request, options),
  };
}

async function command(request: SpawnRequest, options: ContainerOptions): Promise<SpawnCommand> {
  const { image, program = 'docker' } = options;
  const docker = findProgram(program, 'container');
  await checkImage(docker, image);
  const name = `coxswain-${request.id}`;
  const { env, mounts } = await surroundings(request, options);
  return {
    file: docker,
    args: [
      ...['run', '--rm', '--interactive', '--name', name, '--pull', 'never'],
      ...limits(options, program),
      ...mounts,
      // The program takes the values from its own environment, so they are on no command line.
      ...Object.keys(env).flatMap((variable) => ['--env', variable]),
      ...(options.args ?? []),
      ...['--entrypoint', '/bin/sh', image, '-c', RELAY_SCRIPT, 'coxswain-relay', request.id],
      ...[request.file, ...request.args],
    ],
    env: { ...programVariables(), ...env },
    end: async () => void (await runToEnd([docker, 'rm', '--force', name], { ms: REMOVE_MS })),
  };
}

const INSPECT_MS = 20_000;
const REMOVE_MS = 10_000;

async function checkImage(docker: string, image: string): Promise<void> {
  const { code, err } = await runToEnd([docker, 'image', 'inspect', image], { ms: INSPECT_MS });
  if (code === 0) return;
  throw new CoxswainError(
    'SPAWN_FAILED',
    `The image ${image} cannot be used: ${err.split('\n')[0]} Pull or build it first, on this machine.`,
  );
}

function limits({ network, user, memory, cpus, pids = 512 }: ContainerOptions, program: string): string[] {
  const own = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const isRootless = /podman$/.test(program) && process.getuid?.() !== 0;
  return [
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pids-limit', String(pids)],
    ...['--user', user ?? own, ...(isRootless ? ['--userns', 'keep-id'] : [])],
    ...(network === undefined ? [] : ['--network', network]),
    ...(memory === undefined ? [] : ['--memory', memory]),
    ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
  ];
}

/** The working folders, the CLI's part of the config folder, and private files; home and temporary files are empty. */
async function surroundings(
  request: SpawnRequest,
  options: ContainerOptions,
): Promise<{ env: SpawnRequest['env']; mounts: string[] }> {
  const { env, cwd, files } = request;
  const empty = temporaryFolders(env).flatMap((path) => ['--tmpfs', `${path}:mode=1777,exec`]);
  // Only the version is asked for. The CLI may be in a folder that is mounted.
  if (cwd === '.')
    return { env: { HOME: '/tmp', ...env }, mounts: [...empty, ...readOnly(options.readable ?? [])] };
  const folder = env.CLAUDE_CONFIG_DIR || defaultConfigDir();
  const visible = readInConfig(folder);
  const { writable, readable } = await mountsFor(request, options, { spawner: 'container', visible });
  const { kept, read } = configView(folder, request);
  return {
    env: { HOME: '/tmp', ...env, CLAUDE_CONFIG_DIR: folder },
    mounts: [
      ...[...empty, '--tmpfs', `${folder}:mode=1777`, '--workdir', cwd],
      ...[...kept, ...writable].flatMap((path) => mount(path)),
      ...readOnly([...read, ...readable, ...files]),
    ],
  };
}

/** A folder of this host for them does not exist inside. */
function temporaryFolders({ TMPDIR = '/tmp' }: SpawnRequest['env']): readonly string[] {
  return TMPDIR.startsWith('/') && TMPDIR !== '/tmp' ? ['/tmp', TMPDIR] : ['/tmp'];
}

function readOnly(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path)).flatMap((path) => mount(path, { readonly: true }));
}

function mount(path: string, { readonly = false } = {}): string[] {
  if (path.includes(','))
    throw new CoxswainError('SPAWN_FAILED', `A container cannot mount ${path}: its name contains a comma.`);
  return ['--mount', `type=bind,source=${path},target=${path}${readonly ? ',readonly' : ''}`];
}

/** What docker and podman themselves need of this host's environment. */
function programVariables(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|USER|XDG_\w+|DOCKER_\w+|CONTAINER\w*)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, value = '']) => [name, value]));
}
