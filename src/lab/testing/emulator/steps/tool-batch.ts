import type { WireObject } from '../../../../wire/protocol/frames.js';
import { deferred } from '../../../../wire/util/deferred.js';

/**
 * The tool calls of one model message: all are announced before any of them runs, and then they run
 * concurrently.
 */
export class ToolBatch {
  readonly #close: () => Promise<void>;
  readonly #said = deferred<void>();
  #saying: Promise<void> = Promise.resolve();
  readonly #through: WireObject[] = [];
  readonly #count: number;
  #left: number;

  /** `close` ends the message, once all calls are in it. */
  constructor(count: number, close: () => Promise<void>) {
    this.#count = count;
    this.#left = count;
    this.#close = close;
    // A call that cannot be announced fails all of them; each gets its own error.
    this.#said.promise.catch(() => {});
  }

  /** Announces one call after the previous ones; resolves when the message has ended. */
  async say(sayCall: () => Promise<void>): Promise<void> {
    const saying = this.#saying.then(sayCall);
    this.#saying = saying;
    try {
      await saying;
      this.#left -= 1;
      if (this.#left === 0) this.#said.resolve(await this.#close());
    } catch (error) {
      this.#said.reject(error);
    }
    await this.#said.promise;
  }

  /** A call is done; the last one gets all results. */
  finish(call: WireObject): readonly WireObject[] | undefined {
    this.#through.push(call);
    return this.#through.length === this.#count ? this.#through : undefined;
  }
}
