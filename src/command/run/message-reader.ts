import type { Session } from '../../host/session/session.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { deferred } from '../../wire/util/deferred.js';

interface Waiter {
  readonly at: number;
  readonly wake: () => void;
}

/** Passes on every message of a session, in order, as fast as they are consumed. */
export class MessageReader {
  /** Settles when no more messages will come; never rejects. */
  readonly done: Promise<void>;
  readonly #waiters = new Set<Waiter>();
  #received = 0;
  #taken = 0;
  #over = false;

  constructor(session: Pick<Session, 'on' | 'messages'>, take: (message: WireObject) => Promise<void>) {
    const stop = session.on('message', () => {
      this.#received += 1;
    });
    this.done = this.#read(session.messages(), take).finally(() => {
      stop();
      this.#over = true;
      this.#wake();
    });
  }

  /**
   * Resolves when everything received so far has been consumed: a question must not appear before the text
   * that led to it.
   */
  caughtUp(): Promise<void> {
    if (this.#over || this.#taken >= this.#received) return Promise.resolve();
    const { promise, resolve } = deferred<void>();
    this.#waiters.add({ at: this.#received, wake: () => resolve() });
    return promise;
  }

  async #read(
    messages: AsyncIterable<WireObject>,
    take: (message: WireObject) => Promise<void>,
  ): Promise<void> {
    try {
      for await (const message of messages) {
        await take(message);
        this.#taken += 1;
        this.#wake();
      }
    } catch {
      // The turn's outcome says why the CLI ended.
    }
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (!this.#over && waiter.at > this.#taken) continue;
      this.#waiters.delete(waiter);
      waiter.wake();
    }
  }
}
