import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { ConversationRecord } from '../store/record.js';
import type { QueueWaits } from './queue-waits.js';
import type { Surroundings } from './surroundings.js';

/** What {@link UsageLimit} needs from its conversation. */
export interface LimitOwner {
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
}

/** How long to wait for a limit if the CLI does not say when it ends. */
const UNKNOWN_LIMIT_MS = 15 * 60_000;

/** The usage limit that a conversation has hit, and how long its messages wait for it. */
export class UsageLimit {
  readonly #owner: LimitOwner;
  readonly #around: Surroundings;
  readonly #waits: QueueWaits;

  constructor(owner: LimitOwner, around: Surroundings, waits: QueueWaits) {
    this.#owner = owner;
    this.#around = around;
    this.#waits = waits;
  }

  /** A turn hit it. Conversations with the same limit continue one after the other. */
  met({ endsAt }: TurnOutcome & { readonly kind: 'rate-limited' }): void {
    const { now, random, options } = this.#around;
    const end = endsAt?.getTime() ?? now() + UNKNOWN_LIMIT_MS;
    this.#owner.update({ limitUntil: Math.max(end, now()) + random() * options.limitSpreadMs });
  }

  /** Waits until it is over, or nothing is waiting any more. */
  async over(isEmpty: () => boolean): Promise<void> {
    for (;;) {
      const { limitUntil } = this.#owner.record;
      if (limitUntil === undefined || this.#waits.stopped) return;
      const left = limitUntil - this.#around.now();
      // Someone who sends another message after cancelling all of them wants it tried.
      if (left <= 0 || isEmpty()) return this.#owner.update({ limitUntil: undefined });
      await this.#waits.pause(left, 'limited');
    }
  }
}
