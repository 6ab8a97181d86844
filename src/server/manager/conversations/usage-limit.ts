import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { ConversationRecord } from '../store/record.js';
import type { QueueWaits } from './queue-waits.js';
import type { Surroundings } from './surroundings.js';

/** What {@link UsageLimit} asks of its conversation. */
export interface LimitOwner {
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
}

/** How long a limit is waited for whose end the CLI does not tell. */
const UNKNOWN_LIMIT_MS = 15 * 60_000;

/** The usage limit that a conversation has met, and how long its messages wait for it. */
export class UsageLimit {
  readonly #owner: LimitOwner;
  readonly #around: Surroundings;
  readonly #waits: QueueWaits;

  constructor(owner: LimitOwner, around: Surroundings, waits: QueueWaits) {
    this.#owner = owner;
    this.#around = around;
    this.#waits = waits;
  }

  /** A turn ran into it. Conversations with the same limit go on one after the other. */
  met({ endsAt }: TurnOutcome & { readonly kind: 'rate-limited' }): void {
    const { now, random, options } = this.#around;
    const end = endsAt?.getTime() ?? now() + UNKNOWN_LIMIT_MS;
    this.#owner.update({ limitUntil: Math.max(end, now()) + random() * options.limitSpreadMs });
  }

  /** Waits until it is over, or nothing waits any more. */
  async over(isEmpty: () => boolean): Promise<void> {
    for (;;) {
      const { limitUntil } = this.#owner.record;
      if (limitUntil === undefined || this.#waits.stopped) return;
      const left = limitUntil - this.#around.now();
      // Whoever sends another message after all were taken back wants it tried.
      if (left <= 0 || isEmpty()) return this.#owner.update({ limitUntil: undefined });
      await this.#waits.pause(left, 'limited');
    }
  }
}
