import type { Turn } from '../../../host/session/turns/turn.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import type { KeptPrompts } from './kept-prompts.js';
import type { CutShort, QueueWaits } from './queue-waits.js';

/** How long a resumed CLI may take to come back to a deferred call. */
const TAKE_UP_MS = 30_000;

/**
 * The turn that continues after a deferred call: it waits for an answer first, then for the CLI that makes
 * the call.
 */
export class DeferredTurn {
  readonly #kept: KeptPrompts;
  readonly #waits: QueueWaits;
  #answer = deferred<'answered'>();
  #expected: Deferred<Turn | 'lost'> | undefined;

  constructor(kept: KeptPrompts, waits: QueueWaits) {
    this.#kept = kept;
    this.#waits = waits;
  }

  /** The call has its answer. */
  answered(): void {
    this.#answer.resolve('answered');
    this.#answer = deferred();
  }

  /** The CLI ended by itself. */
  lost(): void {
    this.#expected?.resolve('lost');
  }

  /** Takes an unrequested turn, if it is the expected one. */
  take(turn: Turn): boolean {
    this.#expected?.resolve(turn);
    return this.#expected !== undefined;
  }

  /** Waits for an answer to a message's call; returns whether it had to. */
  async waited(messageId: string): Promise<boolean> {
    if (!this.#kept.isDeferred(messageId)) return false;
    await this.#waits.for(this.#answer.promise, 'deferred');
    return true;
  }

  /** A CLI is about to start that will come back to the call. */
  expect(): void {
    this.#expected = deferred();
  }

  /** The turn once the CLI has come back to the call; `unused` if it does not. */
  async taken(messageId: string): Promise<Turn | 'lost' | 'unused' | CutShort> {
    const { promise } = this.#expected ?? deferred<Turn | 'lost'>();
    const soon = await Promise.race([promise, this.#waits.pause(TAKE_UP_MS)]);
    const isUnused = soon === 'over' && this.#kept.deferredText(messageId) !== undefined;
    // The call is running, and its turn becomes visible when it is done.
    const turn = soon === 'over' && !isUnused ? await this.#waits.for(promise) : soon;
    this.#expected = undefined;
    return turn === 'over' ? 'unused' : turn;
  }
}
