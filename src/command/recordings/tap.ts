import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { extname, resolve } from 'node:path';
import { Command } from 'commander';
import { findCli } from '../../host/cli/program/find-cli.js';
import { builtFile } from '../../wire/package/built-file.js';
import { type RecordOptions, startRecording } from '../../wire/trace/record/recording.js';
import { type TapExit, type TapStreams, tap } from '../../wire/trace/tap/tap.js';
import type { OnDiagnostic } from '../../wire/util/diagnostics.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { parseBytes, parseCount } from '../parse.js';
import { writeTapWrapper } from './tap-wrapper.js';

interface TapFlags {
  readonly output: string;
  readonly raw?: boolean;
  readonly maxBytes?: number;
  readonly rotate?: boolean;
  readonly keep?: number;
  readonly live?: boolean;
  readonly wrapper?: string;
}

/** What a tap uses of its own process. */
export interface TapProcess {
  readonly streams: TapStreams;
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends this process with the same signal that ended the tapped one. */
  readonly endBy: (signal: NodeJS.Signals) => void;
}

/** `coxswain tap`: sits between any program and the CLI, and records the traffic. */
export function tapCommand(
  context: CommandContext,
  setExitCode: (code: number) => void,
  makeProcess: () => TapProcess = thisProcess,
): Command {
  return new Command('tap')
    .argument('<command...>', 'the CLI and its arguments, after --')
    .requiredOption('-o, --output <file>', 'the recording; if the name is taken, a number is added')
    .option('--raw', 'leave secrets in the recording')
    .option('--max-bytes <number>', 'stop recording at this size; the session continues', parseBytes)
    .option('--rotate', 'at --max-bytes rename the file to <file>.1 and continue')
    .option('--keep <number>', 'how many old files --rotate keeps (default: 1)', parseCount)
    .option('--live', 'show the session in the browser while it runs; the address goes to stderr')
    .option('--wrapper <file>', 'run nothing; write a tap program to pass to an SDK instead of claude')
    .addHelpText('after', HELP)
    .action(async (command: readonly string[], flags: TapFlags) => {
      setExitCode(await runTap(command, flags, context, makeProcess));
    });
}

const HELP = `
Bytes, signals, the end of input and the exit code pass through unchanged, so neither side notices the recording.
API keys, tokens, passwords, e-mail addresses, home and temporary paths are removed from the recording.
Every user of this machine can read the arguments of a command: put keys into the environment or a file.

To record what an SDK does, in any language:
  coxswain tap -o session.trace --wrapper ./claude-tap -- claude
and pass ./claude-tap to the SDK as the path of the CLI. If you cannot see its stderr, run in another terminal:
  coxswain inspect --follow session.trace`;

async function runTap(
  [file = '', ...args]: readonly string[],
  flags: TapFlags,
  context: CommandContext,
  makeProcess: () => TapProcess,
): Promise<number> {
  const { cwd, writeErr, writeOut } = context;
  const output = resolve(cwd, flags.output);
  if (flags.wrapper !== undefined) {
    const wrapper = await writeTapWrapper(
      resolve(cwd, flags.wrapper),
      { output, file, args, flags },
      context,
    );
    writeOut(`${wrapper}\n`);
    return EXIT_OK;
  }
  const argv = [...programFor(file, context.platform), ...args];
  const { streams, onSignal, endBy } = makeProcess();
  const options = isAside(args) ? NOTHING : recordOptions(output, flags);
  const say = (text: string): void => writeErr(`coxswain tap: ${text}\n`);
  const onDiagnostic: OnDiagnostic = ({ code, message }) => {
    // Programs start a CLI more than once, and its stderr belongs to them.
    if (code !== 'RECORDING_BESIDE') say(message);
  };
  const recording = startRecording(options, { argv, cwd }, { onDiagnostic });
  const { path } = recording;
  const viewer = path !== undefined && flags.live === true ? startViewer(path, say) : undefined;
  const [program = '', ...words] = argv;
  try {
    return leave(await tap({ file: program, args: words, streams, recording, onSignal }), endBy);
  } finally {
    viewer?.end();
  }
}

/**
 * SDKs also ask a CLI for its version, which is not a session. Next to other arguments, the word may be
 * anything, such as a prompt.
 */
function isAside(args: readonly string[]): boolean {
  return args.length === 1 && ['--version', '-v', '--help', '-h'].includes(args[0] ?? '');
}

const NOTHING: RecordOptions = { to: { write: () => true } };

/** A Node script runs with this Node, as SDKs do it. Windows itself would not find the target of npm's `.cmd` file. */
function programFor(name: string, platform: string): readonly string[] {
  const file = platform === 'win32' ? (findCli({ cli: name }).found?.path ?? name) : name;
  return ['.js', '.mjs', '.cjs'].includes(extname(file)) ? [process.execPath, file] : [file];
}

function recordOptions(to: string, { raw, maxBytes, rotate, keep }: TapFlags): RecordOptions {
  return {
    to,
    ...(raw === true ? { redact: false } : {}),
    maxBytes,
    whenFull: rotate === true ? 'rotate' : 'stop',
    keep,
  };
}

function leave({ code, signal }: TapExit, endBy: (signal: NodeJS.Signals) => void): number {
  if (signal === null) return code ?? 1;
  if (!SURVIVED.has(signal)) endBy(signal);
  return 128 + constants.signals[signal];
}

/** These signals do not kill Node: it opens a debugger, or does nothing. */
const SURVIVED: ReadonlySet<NodeJS.Signals> = new Set(['SIGUSR1', 'SIGPIPE']);

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

function thisProcess(): TapProcess {
  const { stdin, stdout, stderr } = process;
  return {
    streams: { stdin, stdout, stderr },
    onSignal: (listener) => {
      // In a terminal, Ctrl-C reaches the CLI directly; the tap must outlive it anyway.
      const passOn = (signal: NodeJS.Signals): void => {
        if (signal !== 'SIGINT' || !stdin.isTTY) listener(signal);
      };
      for (const signal of PASSED_ON) process.on(signal, passOn);
      return () => {
        for (const signal of PASSED_ON) process.off(signal, passOn);
      };
    },
    endBy: (signal) => process.kill(process.pid, signal),
  };
}

/** A page that shows a recording while it grows. */
interface Viewer {
  /** Lets it show the rest and end, without waiting for it. */
  end(): void;
}

/**
 * Starts a separate process that shows a recording, so viewers cannot slow down the tap. It ends when its stdin
 * closes, even if the tap is killed.
 */
function startViewer(path: string, say: (text: string) => void): Viewer {
  const child = spawn(
    process.execPath,
    [builtFile('command.js'), 'inspect', '--follow', '--until-eof', path],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Ctrl-C in the terminal is meant for the CLI.
      detached: true,
      windowsHide: true,
    },
  );
  child.once('error', ({ message }) => say(`The page could not be started: ${message}.`));
  child.once('exit', (code) => {
    if (code !== 0) say(`The page could not be shown (exit code ${code}).`);
  });
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').once('data', (url: string) => say(`watch it at ${url.trim()}`));
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) unref(pipe);
  return { end: () => void child.stdin.end() };
}

/** The page's output must not keep the tap alive. */
function unref(pipe: object): void {
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}
