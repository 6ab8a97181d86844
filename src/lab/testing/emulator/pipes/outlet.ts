import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Clock } from '../../../../wire/util/clock.js';

/** How the emulator writes when it should be slow. */
export interface Drip {
  /** Bytes per write. */
  readonly bytes: number;
  /** Milliseconds before each write. */
  readonly ms: number;
}

/** The emulator's output: whole writes in call order, or a slow drip, and nothing after the end. */
export class Outlet {
  readonly #stdout: Writable;
  readonly #clock: Clock;
  #drip: Drip | undefined;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #over = false;

  constructor(stdout: Writable, clock: Clock, onBroken: () => void = () => {}) {
    this.#stdout = stdout;
    this.#clock = clock;
    stdout.on('error', () => {
      this.shut();
      onBroken();
    });
  }

  /** Writes in small pieces from now on; `undefined` returns to whole writes. */
  set drip(drip: Drip | undefined) {
    this.#drip = drip;
  }

  /** Settles when everything written has left. */
  get idle(): Promise<void> {
    return this.#tail;
  }

  /** Writes and waits until the reader has accepted enough of it. */
  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.#over) return;
    // Without a drip and with nothing queued, the bytes leave immediately, so call order is wire order.
    if (this.#drip === undefined && this.#waiting === 0) {
      if (!this.#stdout.write(chunk)) await this.#drained();
      return;
    }
    this.#waiting += 1;
    this.#tail = this.#tail.then(() => this.#writeSlowly(Buffer.from(chunk)));
    await this.#tail;
  }

  /** Drops all later output. */
  shut(): void {
    this.#over = true;
  }

  async #writeSlowly(bytes: Buffer): Promise<void> {
    const drip = this.#drip ?? { bytes: Math.max(1, bytes.length), ms: 0 };
    for (let at = 0; at < bytes.length && !this.#over; at += drip.bytes) {
      if (drip.ms > 0) await new Promise<void>((resolve) => this.#clock.after(drip.ms, resolve));
      if (!this.#stdout.write(bytes.subarray(at, at + drip.bytes))) await this.#drained();
    }
    this.#waiting -= 1;
  }

  async #drained(): Promise<void> {
    if (this.#stdout.destroyed || !this.#stdout.writable) return;
    const gone = new AbortController();
    const leave = () => gone.abort();
    this.#stdout.once('close', leave);
    await once(this.#stdout, 'drain', { signal: gone.signal }).catch(() => {});
    this.#stdout.off('close', leave);
  }
}
