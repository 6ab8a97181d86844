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

/** The default limits. */
export const DEFAULT_OUTLET_LIMITS: OutletLimits = {
  highWater: 1024 * 1024,
  maxWaiting: 64 * 1024 * 1024,
  patienceMs: 60_000,
};

/** A longer text is sent in pieces of this many bytes: heartbeats pass between them, and progress is visible. */
const PIECE = 64 * 1024;

interface Waiting {
  readonly text: string;
  readonly onTaken: () => void;
  next: Waiting | undefined;
}

/** The parts of a socket that {@link Outlet} needs. */
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

/**
 * Output to one client. It never delays anyone else: a client that accepts nothing is dropped, and may
 * reconnect.
 */
export class Outlet {
  readonly #socket: OutletSocket;
  readonly #clock: Clock;
  readonly #limits: OutletLimits;
  #waiters: (() => void)[] = [];
  /** Characters passed to {@link send} that the client has not accepted. */
  #counted = 0;
  /** Texts waiting behind a long one: a linked list, because shifting an array of that many takes seconds. */
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  /** Their total size, including the rest of the long one. */
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

  /**
   * How many bytes wait for the client; if there are any, the system has accepted more than it could pass on.
   */
  get behind(): number {
    return this.#socket.bufferedAmount + this.#queued;
  }

  /** How many writes were accepted. */
  get taken(): number {
    return this.#taken;
  }

  /** Sends a text that is not an event, no matter what is waiting, unless that is far too much. */
  send(text: string): void {
    const { maxWaiting } = this.#limits;
    if (this.#counted > maxWaiting) {
      this.#drop();
      return;
    }
    // A single text is never too long: the client would only ask for it again.
    const counted = Math.min(text.length, maxWaiting / 2);
    this.#counted += counted;
    this.#post(text, () => {
      this.#counted -= counted;
    });
  }

  /**
   * Sends an event. It does not count as waiting: events come one by one, each when {@link writable} allows it, and an
   * event larger than the limit must get through too.
   */
  sendEvent(text: string): void {
    this.#post(text, () => {});
  }

  /** Resolves when events may be sent, or the client is gone. */
  async drained(): Promise<void> {
    while (this.open && !this.writable) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Closes the socket after what is waiting; the caller decides how long that may take. */
  close(code: number): void {
    this.#closeWith = code;
    this.#sendOn();
  }

  /** The client is gone: stop waiting for it. */
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

  /** Writes what is waiting; after a long text, waits until that has been sent. */
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
      // It is gone, and the end event follows.
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

  /** A client that accepted nothing in the whole time is dropped; a slow one is not. */
  #watch(): void {
    const before = this.#taken;
    this.#callOffDrop ??= this.#clock.after(this.#limits.patienceMs, () => {
      this.#callOffDrop = undefined;
      if (this.#taken === before) this.#drop();
      else this.#watch();
    });
  }

  /** A closing handshake would wait behind everything that the client does not accept. */
  #drop(): void {
    this.#socket.close(CLOSE_CODES.tooSlow, 'too slow');
    this.#socket.terminate();
  }
}
