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
  /** The message whose call is waited for. */
  #awaited: { readonly messageId: string; readonly withdrawn: Deferred<'withdrawn'> } | undefined;

  constructor(kept: KeptPrompts, waits: QueueWaits) {
    this.#kept = kept;
    this.#waits = waits;
  }

  /** The call has its answer. */
  answered(): void {
    this.#answer.resolve('answered');
    this.#answer = deferred();
  }

  /** The CLI ended on its own. */
  lost(): void {
    this.#expected?.resolve('lost');
  }

  /** A message is over before its turn continued: the next CLI must not make its call. */
  withdraw(messageId: string): void {
    this.#kept.withdrawDeferred(messageId);
    if (this.#awaited?.messageId === messageId) this.#awaited.withdrawn.resolve('withdrawn');
  }

  /** Takes an unrequested turn, if it is the expected one. */
  take(turn: Turn): boolean {
    this.#expected?.resolve(turn);
    return this.#expected !== undefined;
  }

  /** Waits for an answer to a message's call; returns whether it had to. */
  async waited(messageId: string): Promise<boolean> {
    if (!this.#kept.isDeferred(messageId)) return false;
    const withdrawn = this.#await(messageId);
    await this.#waits.for(Promise.race([this.#answer.promise, withdrawn]), 'deferred');
    this.#awaited = undefined;
    return true;
  }

  /** A CLI is about to start that will come back to the call. */
  expect(): void {
    this.#expected = deferred();
  }

  /** It did not start. */
  forget(): void {
    this.#expected = undefined;
  }

  /** The turn once the CLI has come back to the call; `unused` if it does not. */
  async taken(messageId: string): Promise<Turn | 'lost' | 'unused' | 'withdrawn' | CutShort> {
    const { promise } = this.#expected ?? deferred<Turn | 'lost'>();
    const end = Promise.race([promise, this.#await(messageId)]);
    const soon = await this.#waits.within(TAKE_UP_MS, end);
    const isUnused = soon === 'over' && this.#kept.deferredText(messageId) !== undefined;
    // The call is running, and its turn becomes visible when it is done.
    const turn = soon === 'over' && !isUnused ? await this.#waits.for(end) : soon;
    this.#awaited = undefined;
    this.forget();
    return turn === 'over' ? 'unused' : turn;
  }

  #await(messageId: string): Promise<'withdrawn'> {
    const withdrawn = deferred<'withdrawn'>();
    this.#awaited = { messageId, withdrawn };
    return withdrawn.promise;
  }
}
