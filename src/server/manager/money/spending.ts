import type { Journal } from '../store/journal.js';

/** What money may be spent on, in US dollars. Default: no limit. */
export interface Budgets {
  /** Over the whole life of one conversation. */
  readonly conversation?: number | undefined;
  /** Over all conversations of one owner. */
  readonly owner?: number | undefined;
  /** Over all conversations on one day (UTC). */
  readonly day?: number | undefined;
  /** Over everything in this store. */
  readonly total?: number | undefined;
}

/** A budget that is spent. */
export interface Breach {
  /** Which budget it is. */
  readonly scope: keyof Budgets;
  /** The limit, in dollars. */
  readonly limitUsd: number;
  /** What was spent, in dollars. */
  readonly spentUsd: number;
}

/** Who spends. */
export interface Spender {
  readonly name: string;
  readonly owner: string;
}

const KEY = 'spent/';

/** What was spent, by conversation, owner and day; kept over restarts. What an owner spent outlives the conversation. */
export class Spending {
  readonly #journal: Journal;
  readonly #budgets: Budgets;
  readonly #today: () => string;
  /** The day on which it last looked for days that are over. */
  #day: string | undefined;

  constructor(journal: Journal, { budgets, now }: { readonly budgets: Budgets; readonly now: () => number }) {
    this.#journal = journal;
    this.#budgets = budgets;
    this.#today = () => new Date(now()).toISOString().slice(0, 10);
  }

  get totalUsd(): number {
    return this.#spent('total');
  }

  /** Adds what a turn cost. */
  add(spender: Spender, costUsd: number): void {
    if (!(costUsd > 0)) return;
    for (const key of Object.values(this.#keys(spender)))
      this.#journal.note(`${KEY}${key}`, this.#spent(key) + costUsd);
    this.#forgetDays();
  }

  /** A conversation is no more. */
  forget(name: string): void {
    const key = `${KEY}conversation/${name}`;
    if (this.#journal.values.has(key)) this.#journal.note(key, undefined);
  }

  /** The first budget that is spent. `raised` adds to each limit of this one conversation. */
  breach(spender: Spender, raised = 0): Breach | undefined {
    const keys = this.#keys(spender);
    for (const scope of Object.keys(keys) as (keyof Budgets)[]) {
      const limit = this.#budgets[scope];
      const spentUsd = this.#spent(keys[scope]);
      if (limit !== undefined && spentUsd >= limit + raised)
        return { scope, limitUsd: limit + raised, spentUsd };
    }
    return undefined;
  }

  #keys({ name, owner }: Spender): Record<keyof Budgets, string> {
    return {
      conversation: `conversation/${name}`,
      owner: `owner/${owner}`,
      day: `day/${this.#today()}`,
      total: 'total',
    };
  }

  /** What was spent on another day counts no more. */
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
