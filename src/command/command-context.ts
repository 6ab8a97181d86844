import { type Clock, systemClock } from '../wire/util/clock.js';
import { type Keyboard, readKeyboard } from './terminal/keyboard.js';

/** The parts of the outside world that a command may use. */
export interface CommandContext {
  /** Data, for people and programs. */
  readonly writeOut: (text: string) => void;
  /** Everything else. */
  readonly writeErr: (text: string) => void;
  /** Resolves when stdout can take more: immediately, or when its reader has caught up. */
  readonly drained: () => Promise<void>;
  readonly outIsTty: boolean;
  readonly errIsTty: boolean;
  readonly inIsTty: boolean;
  /** The width of the terminal. */
  readonly columns: () => number;
  /** Where to ask a person; only set if stdin and stderr are a terminal. */
  readonly keyboard: Keyboard | undefined;
  /** All of stdin. */
  readonly readInput: () => Promise<string>;
  /** Read-only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: string;
  readonly clock: Clock;
  /** Resolves with the name of the first termination signal. */
  readonly untilSignal: () => Promise<NodeJS.Signals>;
  /**
   * Subscribes to termination signals, and to `SIGPIPE` when the reader of stdout leaves; returns an
   * unsubscribe function.
   */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
  /** Ends the process immediately. */
  readonly exitNow: (code: number) => void;
}

/** The context of this process. */
export function processContext(): CommandContext {
  const { stdin, stdout, stderr, env } = process;
  // A reader that leaves, such as `head`, is no reason to crash.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  return {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    drained: () => drained(stdout),
    outIsTty: stdout.isTTY === true,
    errIsTty: stderr.isTTY === true,
    inIsTty: stdin.isTTY === true,
    columns: () => stderr.columns || 80,
    keyboard: stdin.isTTY && stderr.isTTY ? readKeyboard(stdin) : undefined,
    readInput,
    env,
    cwd: process.cwd(),
    platform: process.platform,
    clock: systemClock,
    untilSignal,
    onSignal,
    exitNow: (code) => process.exit(code),
  };
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (!stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('close', done).on('error', done);
  });
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** After the first signal, restore the default, so a second one ends the process immediately. */
function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onFirst = (signal: NodeJS.Signals): void => {
      for (const each of ENDING) process.off(each, onFirst);
      resolve(signal);
    };
    for (const each of ENDING) process.on(each, onFirst);
  });
}

function onSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  let pipeIsOpen = true;
  const onPipe = ({ code }: NodeJS.ErrnoException) => {
    // Every later write would fail the same way.
    if (pipeIsOpen && code === 'EPIPE') listener('SIGPIPE');
    pipeIsOpen = pipeIsOpen && code !== 'EPIPE';
  };
  const signals = [...ENDING, 'SIGHUP'] as const;
  for (const each of signals) process.on(each, listener);
  process.stdout.on('error', onPipe);
  return () => {
    for (const each of signals) process.off(each, listener);
    process.stdout.off('error', onPipe);
  };
}

const ENDING = ['SIGINT', 'SIGTERM'] as const;
