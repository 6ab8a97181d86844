import type { QueueWaits } from '../conversations/queue-waits.js';
import type { Surroundings } from '../conversations/surroundings.js';
import type { ConversationRecord } from '../store/record.js';
import { type BudgetDecision, BudgetPrompt } from './budget-prompt.js';
import type { Breach } from './spending.js';

/** What {@link BudgetGate} needs from its conversation. */
export interface BudgetOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
  emit(event: string, value: object): void;
  becameIdle(): void;
}

const DAY_MS = 24 * 3_600_000;
/** A timer may be a moment early. */
const LATER_MS = 100;

/** Holds back a conversation's messages while a budget is spent, until someone decides. */
export class BudgetGate {
  readonly #owner: BudgetOwner;
  readonly #around: Surroundings;
  readonly #waits: QueueWaits;
  #prompt: BudgetPrompt | undefined;

  constructor(owner: BudgetOwner, around: Surroundings, waits: QueueWaits) {
    this.#owner = owner;
    this.#around = around;
    this.#waits = waits;
  }

  get prompt(): BudgetPrompt | undefined {
    return this.#prompt;
  }

  /** Whether no budget is spent. */
  get isOpen(): boolean {
    return this.#breach === undefined;
  }

  /**
   * Whether a message may be sent; `once` means even though a budget is spent, `ask` means check again. If the decision
   * was to stop, says why.
   */
  async pass(messageId = ''): Promise<'go' | 'once' | 'ask' | { readonly message: string }> {
    const breach = this.#breach;
    if (breach === undefined) return 'go';
    const decision = await this.#ask(new BudgetPrompt(`budget-${messageId}`, this.#owner.name, breach));
    if (decision.kind === 'once') return 'once';
    if (decision.kind === 'stop') {
      return {
        message: `The budget of ${breach.limitUsd} USD (${breach.scope}) is spent; nothing was sent.`,
      };
    }
    const { record } = this.#owner;
    if (decision.kind === 'raise')
      this.#owner.update(this.#around.spending.raise(record, breach.scope, decision.byUsd));
    return 'ask';
  }

  /** Waits for a decision. Meanwhile its CLI is idle, and is parked like any other. */
  async #ask(prompt: BudgetPrompt): Promise<BudgetDecision> {
    const { clock, now } = this.#around;
    this.#prompt = prompt;
    const untilTomorrow = DAY_MS - (now() % DAY_MS) + LATER_MS;
    const isOfDay = prompt.breach.scope === 'day';
    const callOff = isOfDay ? clock.after(untilTomorrow, () => prompt.withdraw()) : () => {};
    const waiting = this.#waits.for(prompt.decided, 'paused');
    this.#owner.becameIdle();
    this.#owner.emit('budget', { prompt });
    await waiting;
    callOff();
    this.#prompt = undefined;
    // The reason for the prompt may be gone; a later answer is told so.
    prompt.withdraw();
    return prompt.decided;
  }

  get #breach(): Breach | undefined {
    return this.#around.spending.breach(this.#owner.record);
  }
}
