import type { Session } from '../../../host/session/session.js';
import { NO_USAGE, type TurnUsage } from '../../../host/session/turns/usage.js';
import type { ConversationRecord } from '../store/record.js';
import type { Spending } from './spending.js';

/** What {@link ConversationUsage} needs from its conversation. */
export interface UsageOwner {
  readonly record: ConversationRecord;
  readonly cli: { readonly attached: Session | undefined };
  update(change: Partial<ConversationRecord>): void;
}

/** What a conversation has used, and what of that counts as spent. */
export class ConversationUsage {
  readonly #owner: UsageOwner;
  readonly #spending: Pick<Spending, 'add'>;
  /** What of its CLI's session is counted as spent. */
  #countedUsd = 0;

  constructor(owner: UsageOwner, spending: Pick<Spending, 'add'>) {
    this.#owner = owner;
    this.#spending = spending;
  }

  /** What its CLIs have used. */
  get total(): TurnUsage {
    return this.#owner.cli.attached?.usage ?? this.#counted;
  }

  /** What its next CLI knows from before was not spent there. */
  attached(session: Session): void {
    this.#countedUsd = session.turnsUsage.costUsd;
  }

  /** Counts what its CLIs have used since the last count. */
  count(): void {
    const { owner, costUsd } = this.#owner.record;
    const before = this.#counted;
    const used = this.total;
    if (used.costUsd === before.costUsd && used.outputTokens === before.outputTokens) return;
    const spent = this.#owner.cli.attached?.turnsUsage.costUsd ?? 0;
    this.#spending.add(owner, spent - this.#countedUsd);
    this.#countedUsd = spent;
    this.#owner.update({ usage: used, costUsd: costUsd + Math.max(0, used.costUsd - before.costUsd) });
  }

  get #counted(): TurnUsage {
    const { costUsd, usage = { ...NO_USAGE, costUsd } } = this.#owner.record;
    return usage;
  }
}
