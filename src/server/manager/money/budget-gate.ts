import type { QueueWaits } from '../conversations/queue-waits.js';
import type { ConversationRecord } from '../store/record.js';
import { BudgetPrompt } from './budget-prompt.js';
import type { Breach, Spending } from './spending.js';

/** What {@link BudgetGate} asks of its conversation. */
export interface BudgetOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
  emit(event: string, value: object): void;
}

/** Holds the messages of a conversation back while a budget is spent, until somebody decides. */
export class BudgetGate {
  readonly #owner: BudgetOwner;
  readonly #spending: Spending;
  readonly #waits: QueueWaits;
  #prompt: BudgetPrompt | undefined;

  constructor(owner: BudgetOwner, spending: Spending, waits: QueueWaits) {
    this.#owner = owner;
    this.#spending = spending;
    this.#waits = waits;
  }

  get prompt(): BudgetPrompt | undefined {
    return this.#prompt;
  }

  /** Whether nothing is spent that may not be. */
  get isOpen(): boolean {
    return this.#breach === undefined;
  }

  /** Whether a message may be sent; `ask` is to look again. A budget that was decided to end says why. */
  async pass(park: () => Promise<void>): Promise<'go' | 'ask' | { readonly message: string }> {
    const { name, record } = this.#owner;
    const breach = this.#breach;
    if (breach === undefined) return 'go';
    await park();
    const prompt = new BudgetPrompt(name, breach);
    this.#prompt = prompt;
    this.#owner.emit('budget', { prompt });
    const decision = await this.#waits.for(prompt.decided, 'paused');
    this.#prompt = undefined;
    if (decision === 'stopped' || decision === 'emptied') return 'ask';
    if (decision.kind === 'once') return 'go';
    if (decision.kind === 'stop') {
      return {
        message: `The budget of ${breach.limitUsd} USD (${breach.scope}) is spent; nothing was sent.`,
      };
    }
    this.#owner.update({ raisedUsd: (record.raisedUsd ?? 0) + decision.byUsd });
    return 'ask';
  }

  get #breach(): Breach | undefined {
    const { name, record } = this.#owner;
    return this.#spending.breach({ name, owner: record.owner }, record.raisedUsd);
  }
}
