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

/** How long a process may take to leave after each step; the same as for a process of ours. */
export const ENDING = { eofMs: 2_000, termMs: 5_000, killMs: 2_000 } as const;

/** What {@link SpawnedTransport} works with. */
export interface SpawnedParts {
  /** Tells the spawner that the process has had its time. */
  readonly expire: () => void;
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
}

/** A transport to a process that the program started by a way of its own. */
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
    // Not part of the contract, but a child process has it; unread it would fill up and stop the process.
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
    // A process that waits for a reader of its stdout would not see the end of its stdin.
    if (!this.#readsToTheEnd) this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  send(line: string): Promise<void> {
    return this.#writer.send(line);
  }

  /** The last part of what it wrote on stderr, if it can be read. */
  stderrTail(): string {
    return this.#stderr?.text ?? '';
  }

  /** Closes its stdin and lets it take the time it needs. */
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

  /** What it wrote before it left is read first, though not forever: a child of its own may hold the pipe. */
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
      // A spawner that cannot end its process has said so by now; the next step comes anyway.
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
