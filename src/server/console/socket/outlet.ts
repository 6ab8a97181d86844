import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';

/** How far one client may lag. */
export interface OutletLimits {
  /** How many bytes may wait for the client before events are held back. */
  readonly highWater: number;
  /** How many characters of summaries and answers may wait for the client before it is dropped. */
  readonly maxWaiting: number;
  /** How long a client may read nothing before it is dropped, in milliseconds. */
  readonly patienceMs: number;
}

/** How far a client may be behind by default. */
export const DEFAULT_OUTLET_LIMITS: OutletLimits = {
  highWater: 1024 * 1024,
  maxWaiting: 64 * 1024 * 1024,
  patienceMs: 60_000,
};

/** A longer text goes out in pieces of this many bytes: signs of life pass between them, and one sees how it is taken. */
const PIECE = 64 * 1024;

interface Waiting {
  readonly text: string;
  readonly onTaken: () => void;
  next: Waiting | undefined;
}

/** What an {@link Outlet} needs of a socket. */
export type OutletSocket = Pick<
  WebSocket,
  'bufferedAmount' | 'readyState' | 'OPEN' | 'close' | 'terminate'
> & {
  send(
    data: string | Buffer,
    options: { binary: boolean; fin: boolean },
    taken: (error?: Error) => void,
  ): void;
};

/** What goes out to one client. It never holds up anybody else: who takes nothing is dropped, and may come again. */
export class Outlet {
  readonly #socket: OutletSocket;
  readonly #clock: Clock;
  readonly #limits: OutletLimits;
  #waiters: (() => void)[] = [];
  /** Characters that {@link send} was given and the client has not taken. */
  #counted = 0;
  /** Texts behind a long one that is on its way: linked, since there may be so many that moving them up takes seconds. */
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  /** How much they are, with what is left of the long one. */
  #queued = 0;
  #closeWith: number | undefined;
  #inPieces = false;
  #taken = 0;
  #callOffDrop: (() => void) | undefined;

  constructor(socket: OutletSocket, clock: Clock, limits = DEFAULT_OUTLET_LIMITS) {
    this.#socket = socket;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Whether events may be sent now. */
  get writable(): boolean {
    return this.behind < this.#limits.highWater;
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** How many bytes wait for the client; the system has taken more than it could pass on where there are any. */
  get behind(): number {
    return this.#socket.bufferedAmount + this.#queued;
  }

  /** How often something was taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Sends a text that is not an event, whatever waits already, unless that is far too much. */
  send(text: string): void {
    const { maxWaiting } = this.#limits;
    if (this.#counted > maxWaiting) {
      this.#drop();
      return;
    }
    // One text alone is never too much, however long: the client would ask for it again.
    const counted = Math.min(text.length, maxWaiting / 2);
    this.#counted += counted;
    this.#post(text, () => {
      this.#counted -= counted;
    });
  }

  /**
   * Sends an event. It is not counted among what waits: events come one by one, each when {@link writable} says so, and
   * one that is longer than all that may wait must get through too.
   */
  sendEvent(text: string): void {
    this.#post(text, () => {});
  }

  /** Resolves when events may be sent, or the client is gone. */
  async drained(): Promise<void> {
    while (this.open && !this.writable) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Closes the socket behind what waits; how long that may take is for whoever asks for it to say. */
  close(code: number): void {
    this.#closeWith = code;
    this.#sendOn();
  }

  /** The client is gone: nobody waits for it any more. */
  end(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#callOffDrop?.();
    this.#wake();
  }

  #post(text: string, onTaken: () => void): void {
    if (!this.open) return;
    const waiting: Waiting = { text, onTaken, next: undefined };
    if (this.#last === undefined) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
    this.#queued += text.length;
    this.#sendOn();
    if (!this.writable) this.#watch();
  }

  /** Hands over what waits; behind a long text it waits until that is through. */
  #sendOn(): void {
    while (!this.#inPieces && this.open) {
      const next = this.#first;
      if (next === undefined) {
        if (this.#closeWith !== undefined) this.#socket.close(this.#closeWith);
        return;
      }
      this.#first = next.next;
      if (this.#first === undefined) this.#last = undefined;
      this.#queued -= next.text.length;
      if (next.text.length > PIECE) this.#sendPieces(Buffer.from(next.text), next.onTaken);
      else this.#hand(next.text, true, next.onTaken);
    }
  }

  #sendPieces(rest: Buffer, onTaken: () => void): void {
    this.#inPieces = true;
    const [piece, more] = [rest.subarray(0, PIECE), rest.subarray(PIECE)];
    this.#queued += more.length;
    this.#hand(piece, more.length === 0, () => {
      this.#queued -= more.length;
      this.#inPieces = false;
      if (more.length > 0) {
        this.#sendPieces(more, onTaken);
        return;
      }
      onTaken();
      this.#sendOn();
    });
  }

  #hand(data: string | Buffer, fin: boolean, onTaken: () => void): void {
    this.#socket.send(data, { binary: false, fin }, (error) => {
      // It is gone, and its end follows.
      if (error) return;
      this.#taken += 1;
      onTaken();
      this.#notice();
    });
  }

  #notice(): void {
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

  /** Whoever took nothing in the whole time is dropped; whoever takes slowly is not. */
  #watch(): void {
    const before = this.#taken;
    this.#callOffDrop ??= this.#clock.after(this.#limits.patienceMs, () => {
      this.#callOffDrop = undefined;
      if (this.#taken === before) this.#drop();
      else this.#watch();
    });
  }

  /** A closing handshake would wait behind all that it does not take. */
  #drop(): void {
    this.#socket.close(CLOSE_CODES.tooSlow, 'too slow');
    this.#socket.terminate();
  }
}
