import { type Deferred, deferred } from '../util/deferred.js';
import { checkLine } from './checked-line.js';
import { closedError, overflowError } from './line-writer.js';
import type { OnLines, Transport, TransportEnd } from './transport.js';

/** The options of {@link memoryPair}. */
export interface MemoryPairOptions {
  /** How many characters may wait for a paused reader before `send` waits. */
  readonly highWaterMark?: number;
  /** How many characters may wait before `send` refuses more. */
  readonly maxUnsent?: number;
}

/** Creates two connected transports in this process: what one sends, the other receives. */
export function memoryPair(options: MemoryPairOptions = {}): [Transport, Transport] {
  const a = new MemoryEnd(options);
  const b = new MemoryEnd(options);
  a.join(b);
  b.join(a);
  return [a, b];
}

class MemoryEnd implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly #end = deferred<TransportEnd>();
  readonly #highWaterMark: number;
  readonly #maxUnsent: number;
  #other: MemoryEnd | undefined;
  #onLines: OnLines | undefined;
  #waiting: string[] = [];
  #waitingLength = 0;
  #taken: Deferred<void> | undefined;
  #paused = false;
  #scheduled = false;
  #closed = false;
  #otherClosed = false;

  constructor({ highWaterMark = 64 * 1024, maxUnsent = 64 * 1024 * 1024 }: MemoryPairOptions) {
    this.#highWaterMark = highWaterMark;
    this.#maxUnsent = maxUnsent;
    this.ended = this.#end.promise;
  }

  join(other: MemoryEnd): void {
    this.#other = other;
  }

  start(onLines: OnLines): void {
    this.#onLines = onLines;
    this.#schedule();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  async send(line: string): Promise<void> {
    checkLine(line);
    if (this.#closed || this.#other === undefined) throw closedError();
    await this.#other.#receive(line);
  }

  close(): Promise<TransportEnd> {
    if (!this.#closed) {
      this.#finish();
      if (this.#other !== undefined) this.#other.#hangUp();
    }
    return this.ended;
  }

  async #receive(line: string): Promise<void> {
    if (this.#closed || this.#otherClosed) throw closedError();
    if (this.#waitingLength > 0 && this.#waitingLength + line.length > this.#maxUnsent) {
      throw overflowError(this.#waitingLength);
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    this.#schedule();
    if (this.#waitingLength <= this.#highWaterMark) return;
    this.#taken ??= deferred();
    await this.#taken.promise;
  }

  #hangUp(): void {
    this.#otherClosed = true;
    // The sender is gone: what it sent is still delivered, but nobody waits for that any more.
    this.#taken?.reject(closedError());
    this.#taken = undefined;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    if (this.#closed || this.#paused || this.#onLines === undefined) {
      if (this.#otherClosed && this.#waiting.length === 0) this.#finish();
      return;
    }
    const lines = this.#take();
    if (lines.length > 0) this.#onLines(lines);
    if (this.#otherClosed && this.#waiting.length === 0) this.#finish();
  }

  #take(): string[] {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#taken?.resolve();
    this.#taken = undefined;
    return lines;
  }

  #finish(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#taken?.reject(closedError());
    this.#taken = undefined;
    this.#end.resolve({ reason: 'closed' });
  }
}
