import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type Clock, systemClock, within } from '../../util/clock.js';
import { deferred } from '../../util/deferred.js';
import { callbackFailed, type OnDiagnostic } from '../../util/diagnostics.js';
import { quiet } from '../../util/listeners.js';
import { LineReader } from '../line-reader.js';
import { LineWriter } from '../line-writer.js';
import type { CloseOptions, OnLines, Transport, TransportEnd } from '../transport.js';
import type { CommandLine } from './command-line.js';
import { type EndElsewhere, endElsewhere } from './end-elsewhere.js';
import { type EndingChild, type EndingTimes, endChild, endLeftovers, type ShutdownStep } from './ending.js';
import { holdUntilRead } from './held-stream.js';
import type { Watch } from './keeper.js';
import type { ProcessControl } from './platform.js';
import { StderrTail } from './stderr-tail.js';

/** How a process exited. */
export interface ExitReport {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, if any. */
  readonly signal: string | null;
  /** The last shutdown step that was needed; after `term` or `kill` the end of the CLI's transcript may be missing. */
  readonly step: ShutdownStep;
}

/** A transport to a child process. */
export interface LineProcess extends Transport, AsyncDisposable {
  /** The id of the process. */
  readonly pid: number;
  /** The command line that was started. */
  readonly commandLine: CommandLine;
  /** Settles when the process itself has exited; never rejects. */
  readonly exit: Promise<ExitReport>;
  /** The last part of its stderr output. */
  stderrTail(): string;
  /** Closes its stdin and lets it finish; nothing can be sent after that. */
  endInput(): void;
  /** Starts the shutdown and returns immediately; `close()` waits for it. */
  leave(): void;
}

/** The options of a {@link LineProcess}. */
export interface LineProcessOptions {
  /** How long each shutdown step may take, in milliseconds. */
  readonly ending?: EndingTimes | undefined;
  /** Receives what the process writes to stderr. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Receives diagnostics. */
  readonly onDiagnostic?: OnDiagnostic | null | undefined;
  /** Longer lines are skipped with a diagnostic. */
  readonly maxLineLength?: number | undefined;
  /** How many bytes may wait for a process that does not read. */
  readonly maxUnsentBytes?: number | undefined;
  /** The version of the CLI, if the process is or leads to one and you know it. */
  readonly version?: string | undefined;
}

/** The parts of a running child. */
export interface ChildParts {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly startedBefore?: number | undefined;
  readonly commandLine: CommandLine;
  readonly watch: Watch;
  /** Ends what belongs to the child but is not on this machine, or not visible here. */
  readonly endElsewhere?: EndElsewhere;
  readonly control: ProcessControl;
  readonly clock?: Clock | undefined;
}

/** Connects the pipes of a child to a transport, and its exit to the shutdown steps. */
export class ChildTransport implements LineProcess {
  readonly ended: Promise<TransportEnd>;
  readonly exit: Promise<ExitReport>;
  readonly pid: number;
  readonly commandLine: CommandLine;
  readonly version: string | Promise<string | undefined> | undefined;
  readonly #parts: ChildParts;
  readonly #options: LineProcessOptions;
  readonly #clock: Clock;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #stderr: StderrTail;
  readonly #end = deferred<TransportEnd>();
  readonly #exit = deferred<ExitReport>();
  readonly #started = deferred<void>();
  readonly #read: (begin: () => void) => void;
  #startCalled = false;
  #flowing = false;
  #paused = false;
  #readsToTheEnd = false;
  #closeAsked = false;
  #step: ShutdownStep = 'none';
  #ending: Promise<void> | undefined;
  #graceMs: number | undefined;

  constructor(parts: ChildParts, options: LineProcessOptions) {
    const { child, pid, commandLine, clock = systemClock } = parts;
    this.ended = this.#end.promise;
    this.exit = this.#exit.promise;
    this.pid = pid;
    this.commandLine = commandLine;
    this.version = options.version;
    this.#parts = parts;
    this.#options = options;
    this.#clock = clock;
    this.#reader = new LineReader(child.stdout, readerOptions(options));
    this.#read = holdUntilRead(child.stdout);
    this.#writer = new LineWriter(child.stdin, options.maxUnsentBytes);
    const onStderr = quiet(options.onStderr, (error) =>
      quiet(options.onDiagnostic)(callbackFailed('onStderr', error)),
    );
    this.#stderr = new StderrTail(child.stderr, onStderr);
    child.on('error', () => {});
    child.once('exit', (code, signal) => void this.#afterExit({ code, signal, step: this.#step }));
    void this.#reader.done.then(() => this.#afterStdout());
  }

  start(onLines: OnLines): void {
    this.#startCalled = true;
    this.#read(() => {
      this.#flowing = true;
      this.#reader.start(onLines);
      if (this.#paused) this.#reader.pause();
      this.#started.resolve();
    });
  }

  pause(): void {
    if (this.#readsToTheEnd) return;
    this.#paused = true;
    if (this.#flowing) this.#reader.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#flowing) this.#reader.resume();
  }

  send(line: string): Promise<void> {
    return this.#writer.send(line);
  }

  stderrTail(): string {
    return this.#stderr.text;
  }

  endInput(): void {
    this.#writer.end();
  }

  leave(): void {
    this.#closeAsked = true;
    this.#readToTheEnd();
    this.#begin();
  }

  async close({ graceMs }: CloseOptions = {}): Promise<TransportEnd> {
    this.#graceMs ??= graceMs;
    this.leave();
    await this.#ending;
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A process that waits for a reader of its stdout would notice neither the end of stdin nor its own. */
  #readToTheEnd(): void {
    this.#readsToTheEnd = true;
    if (!this.#startCalled && this.#closeAsked) this.start(() => {});
    this.resume();
  }

  /** A process that closed its stdout can send nothing more; usually it is about to exit. */
  async #afterStdout(): Promise<void> {
    if (!(await within(this.exit, EXIT_AFTER_STDOUT_MS, this.#clock))) this.#begin();
  }

  async #afterExit(report: ExitReport): Promise<void> {
    const reason: TransportEnd = this.#closeAsked
      ? { reason: 'closed' }
      : { reason: 'exited', code: report.code, signal: report.signal, stderrTail: '' };
    this.#exit.resolve(report);
    this.#begin();
    this.#readToTheEnd();
    const { stdout, stderr } = this.#parts.child;
    await drained({
      done: Promise.all([this.#reader.done, closed(stderr)]),
      started: this.#started.promise,
      progress: () => bytesRead(stdout) + bytesRead(stderr),
      clock: this.#clock,
    });
    this.#settle(reason.reason === 'exited' ? { ...reason, stderrTail: this.#stderr.text } : reason);
  }

  #settle(end: TransportEnd): void {
    this.#reader.destroy();
    this.#writer.abandon();
    const { stdin, stdout, stderr } = this.#parts.child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.#end.resolve(end);
  }

  /** Starts the shutdown once: all steps, or only the remaining ones if the process has already exited. */
  #begin(): void {
    this.#ending ??= this.#runEnding();
  }

  async #runEnding(): Promise<void> {
    const { child, pid, startedBefore, watch, control, endElsewhere: apart } = this.#parts;
    const { ending } = this.#options;
    const owned: EndingChild = {
      pid,
      startedBefore,
      mark: watch.mark,
      exited: this.exit,
      hasExited: () => hasExited(child),
      closeStdin: () => this.#writer.end(),
    };
    const parts = {
      control,
      clock: this.#clock,
      times: this.#graceMs === undefined ? ending : { eofMs: this.#graceMs, ...ending },
      onStep: (step: ShutdownStep) => {
        this.#step = step;
      },
    };
    const left = await (hasExited(child) ? endLeftovers(owned, parts) : endChild(owned, parts));
    // What belongs here ends all the same.
    const onProblem = (error: unknown) =>
      quiet(this.#options.onDiagnostic)(callbackFailed('spawner.end', error));
    await endElsewhere(apart, onProblem, this.#clock);
    if (left.length === 0) return watch.release();
    this.#giveUp(left);
  }

  /** Even SIGKILL did not help, as with a process stuck in the kernel; the keeper tries again when the host ends. */
  #giveUp(left: readonly number[]): void {
    quiet(this.#options.onDiagnostic)({
      code: 'PROCESS_LEFT',
      message: `These processes could not be ended: ${left.join(', ')}.`,
      pids: left,
    });
    this.#parts.child.unref();
    this.#settle({ reason: 'closed' });
  }
}

const EXIT_AFTER_STDOUT_MS = 1_000;

function readerOptions({ maxLineLength, onDiagnostic }: LineProcessOptions) {
  return {
    ...(maxLineLength === undefined ? {} : { maxLineLength }),
    ...(onDiagnostic ? { onDiagnostic: quiet(onDiagnostic) } : {}),
  };
}

function hasExited({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean {
  return exitCode !== null || signalCode !== null;
}

function bytesRead(stream: Readable): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}

async function closed(stream: Readable): Promise<void> {
  if (!stream.closed) await once(stream, 'close').catch(() => {});
}

/** What is watched while the pipes of an exited process are read to the end. */
interface Drain {
  /** Settles when all pipes have ended. */
  readonly done: Promise<unknown>;
  /** Resolves when somebody reads; earlier data is kept until then. */
  readonly started: Promise<unknown>;
  /** How many bytes were read so far. */
  readonly progress: () => number;
  readonly clock: Clock;
}

const START_MS = 1_000;
const LIMIT_MS = 5_000;
const LOOK_MS = 50;

/**
 * Waits until everything that an exited process left in its pipes was read. A grandchild may hold them open
 * forever, so the wait ends when nothing arrives for a while, and after some seconds at the latest.
 */
export async function drained({ done, started, progress, clock }: Drain): Promise<void> {
  await within(Promise.race([done, started]), START_MS, clock);
  const until = clock.now() + LIMIT_MS;
  let seen = progress();
  for (let quietLooks = 0; quietLooks < 2 && clock.now() < until; ) {
    if (await within(done, LOOK_MS, clock)) return;
    // A busy host runs its timers first: what waits in the pipe is read in this round.
    await nextRound();
    quietLooks = progress() === seen ? quietLooks + 1 : 0;
    seen = progress();
  }
}
