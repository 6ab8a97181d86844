import { deferred } from '../../../wire/util/deferred.js';
import type { ConversationRecord } from '../store/record.js';
import type { ValueStore } from '../store/value-store.js';

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

/** Money that is set aside for the turns of one conversation, because their costs are not known yet. */
export interface Reservation {
  readonly conversation: string;
  readonly owner: string;
  turns: number;
  /** Whether it has a CLI. One without a CLI may wait long for a slot, so those with one need not wait for it. */
  hasCli: boolean;
}

const KEY = 'spent/';
/** What the most expensive turn has cost. */
const MOST = 'most-expensive-turn';

/** What was spent, by owner, by day and in total; kept across restarts, and longer than the conversations. */
export class Spending {
  readonly #journal: Pick<ValueStore, 'values' | 'note'>;
  readonly #budgets: Budgets;
  readonly #today: () => string;
  readonly #reservations = new Set<Reservation>();
  #freed = deferred<void>();
  /** The day on which it last removed past days. */
  #day: string | undefined;

  constructor(
    journal: Pick<ValueStore, 'values' | 'note'>,
    { budgets, now }: { readonly budgets: Budgets; readonly now: () => number },
  ) {
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
    if (costUsd > (this.#mostUsd ?? 0)) this.#journal.note(MOST, costUsd);
    this.#forgetDays();
  }

  /** A conversation's total budget; undefined for no limit. */
  limitOf({ budgetUsd = this.#budgets.conversation }: ConversationRecord): number | undefined {
    return budgetUsd;
  }

  /** The first budget that is spent for a conversation. */
  breach(record: ConversationRecord): Breach | undefined {
    return this.#accounts(record).find(({ limitUsd, spentUsd }) => spentUsd >= limitUsd);
  }

  /**
   * Sets money aside for a turn; undefined if the turns that run may spend what is left. Each of them counts as the most
   * expensive turn so far: unless one costs more, at most one turn passes a budget. Until a turn has cost something, one
   * runs alone.
   */
  reserve(record: ConversationRecord, hasCli: boolean): Reservation | undefined {
    const reservation = { conversation: record.name, owner: record.owner, turns: 1, hasCli };
    if (!this.hasRoom(record, reservation)) return undefined;
    this.#reservations.add(reservation);
    return reservation;
  }

  /** Whether another turn may run, besides those for which money is set aside. */
  hasRoom(record: ConversationRecord, own?: Reservation): boolean {
    const others = [...this.#reservations].filter((each) => each !== own && (each.hasCli || !own?.hasCli));
    return this.#accounts(record).every(({ scope, limitUsd, spentUsd }) => {
      const turns = others.filter((each) => isCounted(each, scope, record));
      const count = turns.reduce((sum, each) => sum + each.turns, 0);
      return count === 0 || spentUsd + count * (this.#mostUsd ?? limitUsd) < limitUsd;
    });
  }

  /** The costs of the turns are known, or they do not run. */
  release(reservation: Reservation): void {
    if (!this.#reservations.delete(reservation)) return;
    this.#freed.resolve();
    this.#freed = deferred();
  }

  /** Resolves when money that was set aside is free again. */
  get freed(): Promise<void> {
    return this.#freed.promise;
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

  /** The budgets that a conversation has, and what is spent of them. */
  #accounts(record: ConversationRecord): readonly Breach[] {
    const { owner, costUsd, raised = {} } = record;
    const own = this.limitOf(record);
    const keys = this.#keys(owner);
    const shared = (['owner', 'day', 'total'] as const).flatMap((scope) => {
      const limit = this.#budgets[scope];
      if (limit === undefined) return [];
      const limitUsd = Math.max(limit, raised[keys[scope]] ?? 0);
      return [{ scope, limitUsd, spentUsd: this.#spent(keys[scope]) }];
    });
    if (own === undefined) return shared;
    return [{ scope: 'conversation', limitUsd: own, spentUsd: costUsd }, ...shared];
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
    return this.#amount(`${KEY}${key}`) ?? 0;
  }

  get #mostUsd(): number | undefined {
    return this.#amount(MOST);
  }

  #amount(key: string): number | undefined {
    const value = this.#journal.values.get(key);
    return typeof value === 'number' ? value : undefined;
  }
}

/** Whether turns spend the same budget as a conversation. */
function isCounted(
  { owner, conversation }: Reservation,
  scope: keyof Budgets,
  record: ConversationRecord,
): boolean {
  if (scope === 'conversation') return conversation === record.name;
  return scope !== 'owner' || owner === record.owner;
}
