import type { Writable } from 'node:stream';
import { type Deferred, deferred } from '../util/deferred.js';
import { CoxswainError } from '../util/errors.js';
import { checkLine } from './checked-line.js';

/** How many bytes may wait for a reader by default before `send` refuses more. */
const DEFAULT_MAX_UNSENT_BYTES = 64 * 1024 * 1024;

/**
 * Writes lines to a byte stream: whole, in call order, with back-pressure and a limit. Lines sent in the same tick
 * share one write: a system call for each would cost more than everything else about a short line.
 */
export class LineWriter {
  readonly #writable: Writable;
  readonly #maxUnsentBytes: number;
  #batch: Batch | undefined;
  #drain: Deferred<void> | undefined;
  /** Set once nothing can be sent any more. Most writers end with nothing unsent, so the error is made when it is needed. */
  #over: { readonly cause: Error | undefined } | undefined;

  constructor(writable: Writable, maxUnsentBytes: number = DEFAULT_MAX_UNSENT_BYTES) {
    this.#writable = writable;
    this.#maxUnsentBytes = maxUnsentBytes;
    writable.on('drain', () => this.#release());
    // EPIPE arrives here when the other side closed its end; reading may continue.
    writable.on('error', (error) => this.abandon(error));
    writable.once('close', () => this.abandon());
  }

  /** Resolves when the stream has accepted the line; rejects if it never will. */
  send(line: string): Promise<void> {
    try {
      return this.#add(line);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Ends the stream after everything that was sent; later sends are refused. */
  end(): void {
    this.#flush();
    if (this.#writable.writable) this.#writable.end();
  }

  /** Refuses all further lines and settles the waiting ones. */
  abandon(cause?: Error): void {
    this.#over ??= { cause };
    this.#batch?.taken.reject(this.#closedError());
    this.#batch = undefined;
    const drain = this.#drain;
    this.#drain = undefined;
    drain?.reject(this.#closedError());
  }

  #add(line: string): Promise<void> {
    checkLine(line);
    if (this.#over !== undefined || !this.#writable.writable) throw this.#closedError();
    const waiting = this.#writable.writableLength + (this.#batch?.text.length ?? 0);
    // A single long line is always accepted if nothing waits before it.
    if (waiting > 0 && waiting + line.length > this.#maxUnsentBytes) throw overflowError(waiting);
    this.#batch ??= this.#begin();
    this.#batch.text += `${line}\n`;
    return this.#batch.taken.promise;
  }

  /** A tick comes after all microtasks, so what concurrent callbacks send is in the same batch. */
  #begin(): Batch {
    process.nextTick(() => this.#flush());
    return { text: '', taken: deferred() };
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch === undefined) return;
    if (!this.#writable.writable) {
      batch.taken.reject(this.#closedError());
      return;
    }
    if (this.#writable.write(batch.text)) {
      batch.taken.resolve();
      return;
    }
    this.#drain ??= deferred();
    this.#drain.promise.then(batch.taken.resolve, batch.taken.reject);
  }

  #closedError(): CoxswainError {
    return closedError(this.#over?.cause);
  }

  #release(): void {
    const drain = this.#drain;
    this.#drain = undefined;
    drain?.resolve();
  }
}

/** Lines that are written together. */
interface Batch {
  text: string;
  readonly taken: Deferred<void>;
}

/** The error for a line after the end. */
export function closedError(cause?: Error): CoxswainError {
  const why = cause === undefined ? '' : ` (${cause.message})`;
  return new CoxswainError('TRANSPORT_CLOSED', `The line was not sent: the connection is closed${why}.`, {
    cause,
  });
}

/** The error for a line that would exceed the limit. */
export function overflowError(waiting: number): CoxswainError {
  return new CoxswainError(
    'SEND_OVERFLOW',
    `The line was not sent: ${waiting} bytes are already waiting, and the other side reads nothing. Await send() before sending more.`,
  );
}
