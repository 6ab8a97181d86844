import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../remote/contract.js';
import type { Clock } from '../../util/clock.js';

/** How much one client may be behind. */
export interface OutletLimits {
  /** Bytes that wait for the client before events of sessions wait for it. */
  readonly highWater: number;
  /** Bytes that wait for the client, answers to its own commands among them, before it is dropped. */
  readonly maxWaiting: number;
  /** How long a client may take nothing before it is dropped, in milliseconds. */
  readonly patienceMs: number;
}

/** What a client may be behind unless said otherwise. */
export const DEFAULT_OUTLET_LIMITS: OutletLimits = {
  highWater: 1024 * 1024,
  maxWaiting: 64 * 1024 * 1024,
  patienceMs: 60_000,
};

/** What goes out to one client. It never holds up anybody else: who takes nothing is dropped, and may come again. */
export class Outlet {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: OutletLimits;
  #waiters: (() => void)[] = [];
  #callOffDrop: (() => void) | undefined;

  constructor(socket: WebSocket, clock: Clock, limits = DEFAULT_OUTLET_LIMITS) {
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Whether events may be sent now. */
  get writable(): boolean {
    return this.#socket.bufferedAmount < this.#limits.highWater;
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Sends a text, whatever waits already, unless that is far too much. */
  send(text: string): void {
    if (!this.open) return;
    // One text may be larger than all that may wait: it is what waits already that counts.
    if (this.#socket.bufferedAmount > this.#limits.maxWaiting) {
      this.#drop();
      return;
    }
    this.#socket.send(text, () => this.#taken());
    if (!this.writable) this.#watch();
  }

  /** Resolves when events may be sent, or the client is gone. */
  async drained(): Promise<void> {
    while (this.open && !this.writable) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** The client is gone: nobody waits for it any more. */
  end(): void {
    this.#callOffDrop?.();
    this.#wake();
  }

  #taken(): void {
    if (!this.writable) return;
    this.#callOffDrop?.();
    this.#callOffDrop = undefined;
    this.#wake();
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  #watch(): void {
    this.#callOffDrop ??= this.#clock.after(this.#limits.patienceMs, () => this.#drop());
  }

  /** A closing handshake would wait behind all that it does not take. */
  #drop(): void {
    this.#socket.close(CLOSE_CODES.tooSlow, 'too slow');
    this.#socket.terminate();
  }
}
