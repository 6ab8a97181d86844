import { deferred } from '../../../wire/util/deferred.js';
import type { Breach } from './spending.js';

/** The decision about a spent budget. */
export type BudgetDecision =
  | { readonly kind: 'raise'; readonly byUsd: number }
  | { readonly kind: 'once' }
  | { readonly kind: 'stop' }
  /** No decision was needed: nothing is waiting any more, or there is budget again. */
  | { readonly kind: 'withdrawn' };

/** A budget is spent, and the conversation waits for a decision. */
export class BudgetPrompt {
  /** The kind of the prompt. */
  readonly kind = 'budget';
  /** Its id; the same after a restart, as long as the same message waits. */
  readonly id: string;
  /** The name of the conversation. */
  readonly conversation: string;
  /** The spent budget and the amounts. */
  readonly breach: Breach;
  readonly #decision = deferred<BudgetDecision>();
  #open = true;

  constructor(id: string, conversation: string, breach: Breach) {
    this.id = id;
    this.conversation = conversation;
    this.breach = breach;
  }

  /** Whether it waits for a decision. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** The decision, once there is one. */
  get decided(): Promise<BudgetDecision> {
    return this.#decision.promise;
  }

  /** Lets this conversation spend this much more than what is spent now, in US dollars. */
  raise(byUsd: number): boolean {
    if (!(Number.isFinite(byUsd) && byUsd > 0))
      throw new RangeError('raise() takes a positive amount in US dollars.');
    return this.#decide({ kind: 'raise', byUsd });
  }

  /** Sends the next message, then asks again. */
  continueOnce(): boolean {
    return this.#decide({ kind: 'once' });
  }

  /** Cancels the waiting messages. */
  stop(): boolean {
    return this.#decide({ kind: 'stop' });
  }

  /** Nobody has to decide any more. @internal */
  withdraw(): boolean {
    return this.#decide({ kind: 'withdrawn' });
  }

  /** Only the first decision counts. */
  #decide(decision: BudgetDecision): boolean {
    if (!this.#open) return false;
    this.#open = false;
    this.#decision.resolve(decision);
    return true;
  }
}
