import type { QueueWaits } from '../conversations/queue-waits.js';
import type { Surroundings } from '../conversations/surroundings.js';
import type { ConversationRecord } from '../store/record.js';
import { type BudgetDecision, BudgetPrompt } from './budget-prompt.js';
import type { Breach, Reservation } from './spending.js';

/** What {@link BudgetGate} needs from its conversation. */
export interface BudgetOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
  asksForMoney(prompt: BudgetPrompt): void;
  becameIdle(): void;
}

const DAY_MS = 24 * 3_600_000;
/** A timer may be a moment early. */
const LATER_MS = 100;

/** Holds back a conversation's messages while a budget is spent, until someone decides; and while running turns may spend it. */
export class BudgetGate {
  readonly #owner: BudgetOwner;
  readonly #around: Pick<Surroundings, 'spending' | 'clock' | 'now'>;
  readonly #waits: QueueWaits;
  #prompt: BudgetPrompt | undefined;
  /** For the message that may be sent, and those that joined it. */
  #reservation: Reservation | undefined;

  constructor(
    owner: BudgetOwner,
    around: Pick<Surroundings, 'spending' | 'clock' | 'now'>,
    waits: QueueWaits,
  ) {
    this.#owner = owner;
    this.#around = around;
    this.#waits = waits;
  }

  get prompt(): BudgetPrompt | undefined {
    return this.#prompt;
  }

  /** Whether another message may be sent now. */
  get isOpen(): boolean {
    const { record } = this.#owner;
    return this.#breach === undefined && this.#around.spending.hasRoom(record);
  }

  /**
   * Whether a message may be sent, and sets money aside for it; `once` means even though a budget is spent, `ask` means
   * check again. If the decision was to stop, says why.
   */
  async pass(
    messageId: string,
    hasCli: boolean,
  ): Promise<'go' | 'once' | 'ask' | { readonly message: string }> {
    const { spending } = this.#around;
    const breach = this.#breach;
    if (breach === undefined) {
      this.#reservation = spending.reserve(this.#owner.record, hasCli);
      if (this.#reservation !== undefined) return 'go';
      await this.#untilFreed();
      return 'ask';
    }
    const decision = await this.#ask(new BudgetPrompt(`budget-${messageId}`, this.#owner.name, breach));
    if (decision.kind === 'once') return 'once';
    if (decision.kind === 'stop') {
      return {
        message: `The budget of ${breach.limitUsd} USD (${breach.scope}) is spent; nothing was sent.`,
      };
    }
    const { record } = this.#owner;
    if (decision.kind === 'raise') this.#owner.update(spending.raise(record, breach.scope, decision.byUsd));
    return 'ask';
  }

  /** Whether the message may still be sent now that it has a CLI: others may have spent the budget meanwhile. */
  confirm(): boolean {
    const reservation = this.#reservation;
    if (reservation === undefined || this.#breach !== undefined) return false;
    reservation.hasCli = true;
    return this.#around.spending.hasRoom(this.#owner.record, reservation);
  }

  /** Another message is sent before the turn is over. */
  joined(): void {
    if (this.#reservation !== undefined) this.#reservation.turns += 1;
  }

  /** No message is running. */
  release(): void {
    if (this.#reservation !== undefined) this.#around.spending.release(this.#reservation);
    this.#reservation = undefined;
  }

  /** Waits for turns of others. Meanwhile its CLI is idle. */
  async #untilFreed(): Promise<void> {
    const waiting = this.#waits.for(this.#around.spending.freed, 'queued');
    this.#owner.becameIdle();
    await waiting;
  }

  /** Waits for a decision. Meanwhile its CLI is idle, and is parked like any other. */
  async #ask(prompt: BudgetPrompt): Promise<BudgetDecision> {
    const { clock, now } = this.#around;
    this.#prompt = prompt;
    const untilTomorrow = DAY_MS - (now() % DAY_MS) + LATER_MS;
    const isOfDay = prompt.breach.scope === 'day';
    const stopTimer = isOfDay ? clock.after(untilTomorrow, () => prompt.withdraw()) : () => {};
    const waiting = this.#waits.for(prompt.decided, 'paused');
    this.#owner.becameIdle();
    this.#owner.asksForMoney(prompt);
    await waiting;
    stopTimer();
    this.#prompt = undefined;
    // The reason for the prompt may be gone; a later answer is told so.
    prompt.withdraw();
    return prompt.decided;
  }

  get #breach(): Breach | undefined {
    return this.#around.spending.breach(this.#owner.record);
  }
}
