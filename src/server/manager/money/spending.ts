import type { Journal } from '../store/journal.js';
import type { ConversationRecord } from '../store/record.js';

/** Spending limits in US dollars. Default: no limit. */
export interface Budgets {
  /** For one conversation, over its whole life. */
  readonly conversation?: number | undefined;
  /** For all conversations of one owner. */
  readonly owner?: number | undefined;
  /** For all conversations on one day (UTC). */
  readonly day?: number | undefined;
  /** For everything in this store. */
  readonly total?: number | undefined;
}

/** A spent budget. */
export interface Breach {
  /** The kind of budget. */
  readonly scope: keyof Budgets;
  /** The limit, in dollars. */
  readonly limitUsd: number;
  /** The amount spent, in dollars. */
  readonly spentUsd: number;
}

const KEY = 'spent/';

/** What was spent, by owner, by day and in total; kept across restarts, and longer than the conversations. */
export class Spending {
  readonly #journal: Journal;
  readonly #budgets: Budgets;
  readonly #today: () => string;
  /** The day on which it last removed past days. */
  #day: string | undefined;

  constructor(journal: Journal, { budgets, now }: { readonly budgets: Budgets; readonly now: () => number }) {
    this.#journal = journal;
    this.#budgets = budgets;
    this.#today = () => new Date(now()).toISOString().slice(0, 10);
  }

  get totalUsd(): number {
    return this.#spent('total');
  }

  /** Adds the cost of a turn. */
  add(owner: string, costUsd: number): void {
    if (!(costUsd > 0)) return;
    for (const key of Object.values(this.#keys(owner)))
      this.#journal.note(`${KEY}${key}`, this.#spent(key) + costUsd);
    this.#forgetDays();
  }

  /** A conversation's total budget; undefined for no limit. */
  limitOf({ budgetUsd = this.#budgets.conversation }: ConversationRecord): number | undefined {
    return budgetUsd;
  }

  /** The first budget that is spent for a conversation. */
  breach(record: ConversationRecord): Breach | undefined {
    const { owner, costUsd, raised = {} } = record;
    const own = this.limitOf(record);
    if (own !== undefined && costUsd >= own)
      return { scope: 'conversation', limitUsd: own, spentUsd: costUsd };
    for (const scope of ['owner', 'day', 'total'] as const) {
      const limit = this.#budgets[scope];
      if (limit === undefined) continue;
      const key = this.#keys(owner)[scope];
      const limitUsd = Math.max(limit, raised[key] ?? 0);
      const spentUsd = this.#spent(key);
      if (spentUsd >= limitUsd) return { scope, limitUsd, spentUsd };
    }
    return undefined;
  }

  /** What changes in a conversation that may spend some more, beyond what is spent now. */
  raise(
    { owner, costUsd, raised = {} }: ConversationRecord,
    scope: keyof Budgets,
    byUsd: number,
  ): Pick<ConversationRecord, 'budgetUsd' | 'raised'> {
    if (scope === 'conversation') return { budgetUsd: costUsd + byUsd };
    const keys = this.#keys(owner);
    // A raise for one day does not count on the next.
    const others = Object.entries(raised).filter(([key]) => Object.values(keys).includes(key));
    const limitUsd = this.#spent(keys[scope]) + byUsd;
    return { raised: { ...Object.fromEntries(others), [keys[scope]]: limitUsd } };
  }

  #keys(owner: string): Record<Exclude<keyof Budgets, 'conversation'>, string> {
    return { owner: `owner/${owner}`, day: `day/${this.#today()}`, total: 'total' };
  }

  /** Spending on another day no longer counts. */
  #forgetDays(): void {
    const today = this.#today();
    if (today === this.#day) return;
    this.#day = today;
    const days = [...this.#journal.values.keys()].filter((key) => key.startsWith(`${KEY}day/`));
    for (const key of days) if (key !== `${KEY}day/${today}`) this.#journal.note(key, undefined);
  }

  #spent(key: string): number {
    const value = this.#journal.values.get(`${KEY}${key}`);
    return typeof value === 'number' ? value : 0;
  }
}
