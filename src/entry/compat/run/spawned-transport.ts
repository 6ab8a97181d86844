import { Readable } from 'node:stream';
import { LineReader } from '../../../wire/transport/line-reader.js';
import { LineWriter } from '../../../wire/transport/line-writer.js';
import { holdUntilRead } from '../../../wire/transport/process/held-stream.js';
import { StderrTail } from '../../../wire/transport/process/stderr-tail.js';
import type { OnLines, Transport, TransportEnd } from '../../../wire/transport/transport.js';
import { type Clock, systemClock, within } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { quiet } from '../../../wire/util/listeners.js';
import type { SpawnedProcess } from '../types/process-types.js';

/** How long a process may take to exit after each step; the same as for our own processes. */
export const ENDING = { eofMs: 2_000, termMs: 5_000, killMs: 2_000 } as const;

/** The dependencies of {@link SpawnedTransport}. */
export interface SpawnedParts {
  /** Tells the spawner that the process has run out of time. */
  readonly expire: () => void;
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
}

/** A transport to a process that the program started in its own way. */
export class SpawnedTransport implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly #child: SpawnedProcess;
  readonly #parts: SpawnedParts;
  readonly #clock: Clock;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #stderr: StderrTail | undefined;
  readonly #read: (begin: () => void) => void;
  readonly #end = deferred<TransportEnd>();
  readonly #exited = deferred<void>();
  #closing: Promise<TransportEnd> | undefined;
  #readsToTheEnd = false;

  constructor(child: SpawnedProcess, parts: SpawnedParts) {
    this.#child = child;
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    const { onDiagnostic } = parts;
    this.#reader = new LineReader(child.stdout, onDiagnostic === undefined ? {} : { onDiagnostic });
    this.#read = holdUntilRead(child.stdout);
    this.#writer = new LineWriter(child.stdin);
    // Not part of the contract, but a child process has it; if it is not read, it fills up and blocks the process.
    const stderr = 'stderr' in child ? child.stderr : undefined;
    if (stderr instanceof Readable) this.#stderr = new StderrTail(stderr, quiet(parts.onStderr));
    this.ended = this.#end.promise;
    child.on('exit', (code, signal) => void this.#afterExit(code, signal));
    child.on('error', (error) => this.#settle({ reason: 'failed', error }));
    if (child.exitCode !== null) void this.#afterExit(child.exitCode, child.signalCode ?? null);
  }

  start(onLines: OnLines): void {
    this.#read(() => this.#reader.start(onLines));
  }

  pause(): void {
    // A process that waits for a reader of its stdout would not notice the end of its stdin.
    if (!this.#readsToTheEnd) this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  send(line: string): Promise<void> {
    return this.#writer.send(line);
  }

  /** The last part of its stderr, if it can be read. */
  stderrTail(): string {
    return this.#stderr?.text ?? '';
  }

  /** Closes its stdin and lets it finish. */
  endInput(): void {
    this.#writer.end();
  }

  close(): Promise<TransportEnd> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<TransportEnd> {
    this.#writer.end();
    this.#readToTheEnd();
    if (!(await this.#leftWithin(ENDING.eofMs))) {
      this.#parts.expire();
      this.#kill('SIGTERM');
      if (!(await this.#leftWithin(ENDING.termMs))) this.#kill('SIGKILL');
      await this.#leftWithin(ENDING.killMs);
    }
    this.#settle({ reason: 'closed' });
    return this.ended;
  }

  /** Its remaining output is read first, but not forever: one of its children may hold the pipe. */
  async #afterExit(code: number | null, signal: string | null): Promise<void> {
    this.#readToTheEnd();
    await within(this.#reader.done, DRAIN_MS, this.#clock);
    this.#settle(
      this.#closing === undefined
        ? { reason: 'exited', code, signal, stderrTail: this.stderrTail() }
        : { reason: 'closed' },
    );
  }

  #readToTheEnd(): void {
    this.#readsToTheEnd = true;
    this.#reader.resume();
  }

  #leftWithin(ms: number): Promise<boolean> {
    return within(this.#exited.promise, ms, this.#clock);
  }

  #kill(signal: NodeJS.Signals): void {
    try {
      this.#child.kill(signal);
    } catch {
      // If the spawner could not end its process, it has reported that; continue with the next step.
    }
  }

  #settle(end: TransportEnd): void {
    this.#exited.resolve();
    this.#reader.destroy();
    this.#writer.abandon();
    this.#child.stdin.destroy();
    this.#end.resolve(end);
  }
}

const DRAIN_MS = 2_000;
