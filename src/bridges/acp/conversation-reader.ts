import type { WireObject } from '../../wire/protocol/frames.js';
import { deferred } from '../../wire/util/deferred.js';
import type { Talk } from './open-sessions.js';

/** Passes on every message of a conversation, one at a time; until one is accepted, the CLI waits. */
export class ConversationReader {
  readonly #stopCounting: () => void;
  readonly #iterator: AsyncIterator<WireObject>;
  readonly #waiters = new Set<{ readonly at: number; readonly wake: () => void }>();
  #received = 0;
  #taken = 0;
  #over = false;

  constructor(talk: Pick<Talk, 'on' | 'messages'>, take: (message: WireObject) => Promise<void>) {
    this.#stopCounting = talk.on('message', () => {
      this.#received += 1;
    });
    this.#iterator = talk.messages({ partial: true })[Symbol.asyncIterator]();
    void this.#read(take);
  }

  /** Resolves when everything received so far was processed. */
  caughtUp(): Promise<void> {
    if (this.#over || this.#taken >= this.#received) return Promise.resolve();
    const { promise, resolve } = deferred<void>();
    this.#waiters.add({ at: this.#received, wake: () => resolve() });
    return promise;
  }

  /** Reads nothing more. */
  leave(): void {
    this.#end();
    void this.#iterator.return?.();
  }

  async #read(take: (message: WireObject) => Promise<void>): Promise<void> {
    try {
      for (;;) {
        const next = await this.#iterator.next();
        if (next.done === true) break;
        await take(next.value);
        this.#taken += 1;
        this.#wake();
      }
    } catch {
      // The outcome of the turn says why the CLI ended.
    }
    this.#end();
  }

  #end(): void {
    this.#over = true;
    this.#stopCounting();
    this.#wake();
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (!this.#over && waiter.at > this.#taken) continue;
      this.#waiters.delete(waiter);
      waiter.wake();
    }
  }
}
