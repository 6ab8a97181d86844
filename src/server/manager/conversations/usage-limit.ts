import type { LogEvent } from '../../../entry/remote/contract.js';
import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { ConversationRecord } from '../store/record.js';
import type { QueueWaits } from './queue-waits.js';
import type { Surroundings } from './surroundings.js';

/** What {@link UsageLimit} needs from its conversation. */
export interface LimitOwner {
  readonly record: ConversationRecord;
  update(change: Partial<ConversationRecord>): void;
  append(event: LogEvent): void;
}

/** What it needs of what all conversations share. */
type Around = Pick<Surroundings, 'now' | 'random'> & {
  readonly options: Pick<Surroundings['options'], 'limitSpreadMs'>;
};

/** How long to wait for a limit if the CLI does not say when it ends. */
const UNKNOWN_LIMIT_MS = 15 * 60_000;
/** How long to wait at least. Twice as long for each limit in a row: the reported end may be wrong. */
const LEAST_MS = 250;
/** Limits last a week; a later end is misread or wrong, so it is tried again then. */
const LONGEST_MS = 8 * 24 * 3_600_000;

/** The usage limit that a conversation has hit, and how long its messages wait for it. */
export class UsageLimit {
  readonly #owner: LimitOwner;
  readonly #around: Around;
  readonly #waits: QueueWaits;

  constructor(owner: LimitOwner, around: Around, waits: QueueWaits) {
    this.#owner = owner;
    this.#around = around;
    this.#waits = waits;
  }

  /** A turn hit it. Conversations with the same limit continue one at a time. */
  met({ endsAt }: TurnOutcome & { readonly kind: 'rate-limited' }): void {
    const { now, random, options } = this.#around;
    const { limits = 0 } = this.#owner.record;
    const least = Math.min(UNKNOWN_LIMIT_MS, LEAST_MS * 2 ** limits);
    const at = now();
    const wait = endsAt === undefined ? UNKNOWN_LIMIT_MS : endsAt.getTime() - at;
    const capped = Math.min(LONGEST_MS, Math.max(least, wait));
    this.#owner.update({ limitUntil: at + capped + random() * options.limitSpreadMs, limits: limits + 1 });
  }

  /** A turn ended without it. */
  passed(): void {
    if (this.#owner.record.limits !== undefined) this.#owner.update({ limits: undefined });
  }

  /** Waits until it is over, or nothing is waiting any more. */
  async over(isEmpty: () => boolean): Promise<void> {
    for (;;) {
      const { limitUntil } = this.#owner.record;
      if (limitUntil === undefined || this.#waits.stopped) return;
      const left = limitUntil - this.#around.now();
      // Timers may fire a moment early; the wait would be reported again. Someone who sends another message after cancelling
      // all of them wants it tried.
      if (left < 2 || isEmpty()) return this.#owner.update({ limitUntil: undefined });
      const text = `A usage limit was reached. The message is sent again after ${new Date(limitUntil).toISOString()}.`;
      this.#owner.append({ kind: 'note', level: 'info', code: 'LIMIT_WAITS', text });
      await this.#waits.pause(left, 'limited');
    }
  }
}
