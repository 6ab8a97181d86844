import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { ByteLines, DEFAULT_MAX_LINE_LENGTH, type LineBatch } from '../../transport/byte-lines.js';
import { hostKeeper, type Keeper } from '../../transport/process/keeper.js';
import { MARK_VARIABLE } from '../../transport/process/process-mark.js';
import { spawnError } from '../../transport/process/spawn-errors.js';
import { markFor } from '../../transport/process/spawn-lines.js';
import { StderrTail } from '../../transport/process/stderr-tail.js';
import { realSystem, type System } from '../../transport/process/system.js';
import type { OnLines } from '../../transport/transport.js';
import { type Clock, systemClock, within } from '../../util/clock.js';
import { deferred } from '../../util/deferred.js';
import type { CoxswainError } from '../../util/errors.js';
import type { Sender } from '../format.js';
import type { Recording } from '../record/recording.js';

/** The pipes of the program that replaces a CLI. */
export interface TapStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What a tap connects. */
export interface TapOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly streams: TapStreams;
  readonly recording: Recording;
  /** Subscribes to signals to pass on; returns a function that unsubscribes. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
}

/** The dependencies of a tap. */
export interface TapParts {
  readonly system?: System | undefined;
  readonly keeper?: Keeper | undefined;
  readonly clock?: Clock | undefined;
}

/** How the tapped program ended. */
export interface TapExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long to keep reading after the CLI has exited: one of its children may hold the pipes open. */
const REST_MS = 1_000;

/**
 * Runs a CLI and passes on every byte in both directions, unchanged and immediately, with signals and the end of input;
 * a copy goes to the recording. Resolves when the CLI has ended and all of its output was forwarded.
 */
export async function tap(options: TapOptions, parts: TapParts = {}): Promise<TapExit> {
  const { recording, streams, onSignal } = options;
  const { system = realSystem(), keeper = hostKeeper(), clock = systemClock } = parts;
  const watch = keeper.watch();
  try {
    const child = await start(options, markFor(watch, system)).catch(async (error: CoxswainError) => {
      recording.end({ reason: 'failed', error });
      await recording.close();
      throw error;
    });
    watch.cover(child.pid ?? 0);
    const stopSignals = onSignal((signal) => {
      recording.signal(signal);
      child.kill(signal);
    });
    const stderr = connect(child, streams, recording);
    const exit = await ended(child, clock);
    stopSignals();
    recording.end({ reason: 'exited', ...exit, stderrTail: stderr.text });
    streams.stdin.destroy();
    await Promise.all([flushed(streams.stdout), recording.close()]);
    return exit;
  } finally {
    watch.release();
  }
}

async function start({ file, args }: TapOptions, mark: string): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = spawn(file, args, {
      stdio: 'pipe',
      env: { ...process.env, [MARK_VARIABLE]: mark },
      windowsHide: true,
    });
    if (child.pid === undefined) await once(child, 'spawn');
    return child;
  } catch (error) {
    throw spawnError(file, error);
  }
}

/** Connects the pipes, and keeps the end of stderr. */
function connect(
  child: ChildProcessWithoutNullStreams,
  { stdin, stdout, stderr }: TapStreams,
  recording: Recording,
): StderrTail {
  const teeOf = (from: Sender) =>
    new LineTee(
      (lines, text) => recording.lines(from, lines, text),
      (length) => recording.skip(length),
    );
  const [host, cli] = [teeOf('host'), teeOf('cli')];
  // Forwarding comes first: the copy must not delay a byte.
  stdin.pipe(child.stdin);
  child.stdout.pipe(stdout);
  child.stderr.pipe(stderr);
  stdin.on('data', (chunk: Buffer) => host.take(chunk));
  stdin.once('end', () => {
    host.end();
    recording.eof('host');
  });
  child.stdout.on('data', (chunk: Buffer) => cli.take(chunk));
  child.stdout.once('end', () => cli.end());
  // If one side stops reading, the other side must notice, as without a tap.
  child.stdin.on('error', () => stdin.destroy());
  stdin.on('error', () => child.stdin.end());
  stdout.on('error', () => child.stdout.destroy());
  stderr.on('error', () => {});
  return new StderrTail(child.stderr);
}

async function ended(child: ChildProcessWithoutNullStreams, clock: Clock): Promise<TapExit> {
  const closed = deferred<void>();
  const exited = deferred<TapExit>();
  child.once('close', () => closed.resolve());
  child.once('exit', (code, signal) => exited.resolve({ code, signal }));
  const exit = await exited.promise;
  if (!(await within(closed.promise, REST_MS, clock))) {
    // A process that the CLI left running holds its pipes; they would keep the tap alive too.
    child.stdout.destroy();
    child.stderr.destroy();
  }
  return exit;
}

/** Resolves when a stream has passed on everything. */
function flushed(stream: Writable): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream
      .once('drain', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
    stream.write('', () => resolve());
  });
}

/** Splits a copy of a byte stream into lines. */
export class LineTee {
  readonly #onLines: OnLines;
  readonly #lines: ByteLines;

  /** For a line that is too long to keep, only its length is reported. */
  constructor(onLines: OnLines, onTooLong: (length: number) => void) {
    this.#onLines = onLines;
    this.#lines = new ByteLines({ maxLength: DEFAULT_MAX_LINE_LENGTH, onTooLong });
  }

  take(chunk: Buffer): void {
    this.#give(this.#lines.push(chunk));
  }

  /** Reports the last line if it had no newline. */
  end(): void {
    this.#give(this.#lines.flush());
  }

  #give(batches: readonly LineBatch[]): void {
    for (const { lines, text } of batches) if (lines.length > 0) this.#onLines(lines, text);
  }
}
