import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../remote/contract.js';
import type { Clock } from '../../util/clock.js';

/** How much one client may be behind. */
export interface OutletLimits {
  /** Bytes that wait for the client before events of sessions wait for it. */
  readonly highWater: number;
  /** Characters of summaries and answers to its own commands that wait for the client before it is dropped. */
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
  #waiting = 0;
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

  /** Sends a text that is not an event, whatever waits already, unless that is far too much. */
  send(text: string): void {
    const { maxWaiting } = this.#limits;
    if (this.#waiting > maxWaiting) {
      this.#drop();
      return;
    }
    // One text alone is never too much, however long: the client would ask for it again.
    const counted = Math.min(text.length, maxWaiting / 2);
    this.#waiting += counted;
    this.#post(text, () => {
      this.#waiting -= counted;
    });
  }

  /**
   * Sends an event. It is not counted among what waits: events come one by one, each when {@link writable} says so, and
   * one that is longer than all that may wait must get through too.
   */
  sendEvent(text: string): void {
    this.#post(text);
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

  #post(text: string, onTaken?: () => void): void {
    if (!this.open) return;
    this.#socket.send(text, () => {
      onTaken?.();
      this.#taken();
    });
    if (!this.writable) this.#watch();
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
