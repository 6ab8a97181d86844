import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CoxswainError } from '../../wire/util/errors.js';
import type { SpawnCommand, Spawner, SpawnRequest } from '../cli/spawner.js';
import { findProgram, type Ran, runToEnd } from './checks.js';
import { RELAY_SCRIPT } from './relay-script.js';

/** The options of {@link ssh}. */
export interface SshOptions {
  /** The machine: `host`, `user@host`, or a name in your ssh configuration. */
  readonly host: string;
  /** Seconds between signs of life; the connection ends after three without an answer. Default: 15. */
  readonly keepaliveSeconds?: number | undefined;
  /** More arguments for ssh, such as `['-p', '2222']`. */
  readonly args?: readonly string[] | undefined;
  /** The program. Default: `ssh`, looked up in PATH. */
  readonly program?: string | undefined;
}

/** A CLI on another machine with `sh`. Its working folder, home, login and transcripts are there. */
export function ssh(options: SshOptions): Spawner {
  return {
    name: `ssh ${options.host}`,
    hasOwnPrograms: true,
    hasOwnFolders: true,
    prepare: (request) => command(request, options),
  };
}

async function command(request: SpawnRequest, options: SshOptions): Promise<SpawnCommand> {
  const connect = connectWords(options);
  const folder = await copyThere(request, (script) => runThere(connect, script, START_MS), options.host);
  const remove = `rm -rf -- ${quoted(folder)}`;
  const end = `for pid in $(grep -lsF -e ${quoted(`COXSWAIN_RELAY=${request.id}`)} /proc/[0-9]*/environ | cut -d/ -f3); do kill -s KILL "$pid"; done; ${remove}`;
  const [file = '', ...words] = connect;
  return {
    file,
    args: [...words, `exec sh ${quoted(`${folder}/start`)}`],
    env: hostVariables(),
    end: async () => void (await runThere(connect, end, END_MS)),
  };
}

function connectWords({ host, keepaliveSeconds = 15, args = [], program = 'ssh' }: SshOptions): string[] {
  if (host.startsWith('-') || host === '')
    throw new CoxswainError('SPAWN_FAILED', `${JSON.stringify(host)} is not the name of a host.`);
  const alive = ['-o', `ServerAliveInterval=${keepaliveSeconds}`, '-o', 'ServerAliveCountMax=3'];
  return [findProgram(program, 'ssh'), '-T', '-o', 'BatchMode=yes', ...alive, ...args, '--', host];
}

const START_MS = 30_000;
const END_MS = 10_000;

/** Runs a script there; it goes over stdin, so that nothing of it is on a command line. */
function runThere(connect: readonly string[], script: string, ms: number): Promise<Ran> {
  return runToEnd([...connect, 'sh -s'], { input: script, ms, env: hostVariables() });
}

/** Removes the folder when the shell ends: nobody else would if the host dies, or the connection breaks. */
const REMOVED_AT_END = `trap 'rm -rf -- "$folder"' EXIT`;

/** Copies what is private into a folder there, with the script that starts the program; checks program and folder. */
async function copyThere(
  { file, cwd, env, files, args, id }: SpawnRequest,
  run: (script: string) => Promise<Ran>,
  host: string,
): Promise<string> {
  const contents = await Promise.all(
    files.map(async (path) => [path, await readFile(path, 'utf8')] as const),
  );
  const words = args.map((word) => withCopy(word, files)).join(' ');
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const enter = `cd -- ${quoted(cwd)} || exit 91`;
  const start = [
    // First: one of them may be called `folder`.
    ...variables,
    'folder=$(dirname -- "$0")',
    REMOVED_AT_END,
    // The relay ends by a signal; this shell waits for it.
    'trap : HUP INT TERM PIPE',
    enter,
    `sh "$folder/relay" ${id} ${quoted(file)} ${words}`,
  ];
  const script = [
    'umask 077',
    ...variables,
    enter,
    `command -v ${quoted(file)} > /dev/null || exit 92`,
    'folder=$(mktemp -d) || exit 93',
    REMOVED_AT_END,
    `trap 'exit 94' HUP INT TERM`,
    ...contents.map(([path, text]) => `printf %s ${quoted(text)} > "$folder"/${quoted(basename(path))}`),
    `printf %s ${quoted(start.join('\n'))} > "$folder/start"`,
    `printf %s ${quoted(RELAY_SCRIPT)} > "$folder/relay"`,
    // Once the host knows of it, it stays.
    `trap '' PIPE`,
    'echo "$folder" && trap - EXIT',
  ].join('\n');
  const { code, out, err } = await run(script);
  const folder = out.trim().split('\n').at(-1) ?? '';
  if (code === 0 && folder.startsWith('/')) return folder;
  if (code === 91) throw new CoxswainError('CWD_INVALID', `The folder ${cwd} does not exist on ${host}.`);
  if (code === 92)
    throw new CoxswainError('CLI_NOT_FOUND', `There is no program ${file} on ${host}: set the option "cli".`);
  throw new CoxswainError('SPAWN_FAILED', `${host} cannot be used over ssh: ${err || `exit code ${code}`}`);
}

/** An argument for the shell there; one of the form `--flag=path` names the copy of a private file. */
function withCopy(word: string, files: readonly string[]): string {
  const at = word.indexOf('=') + 1;
  const copied = files.find((path) => path === word.slice(at));
  return copied === undefined
    ? quoted(word)
    : `${quoted(word.slice(0, at))}"$folder"/${quoted(basename(copied))}`;
}

/** ssh needs its agent, its home and its search path; the environment of the CLI is copied there instead. */
function hostVariables(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|USER|LOGNAME|SSH_AUTH_SOCK)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, value = '']) => [name, value]));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
