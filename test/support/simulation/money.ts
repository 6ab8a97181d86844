import { QueueWaits } from '../../../src/server/manager/conversations/queue-waits.js';
import { BudgetGate } from '../../../src/server/manager/money/budget-gate.js';
import type { BudgetPrompt } from '../../../src/server/manager/money/budget-prompt.js';
import { type Budgets, Spending } from '../../../src/server/manager/money/spending.js';
import type { ConversationRecord } from '../../../src/server/manager/store/record.js';
import { World } from './world.js';

const CONVERSATIONS = 8;
const MESSAGES = 4;
const SLOTS = 6;
const OWNERS = ['one', 'two'];
const SHARED = ['owner', 'day', 'total'] as const;
/** No turn costs more than the first, by which the others are estimated. */
const MOST_USD = 1;
const DAY_MS = 24 * 3_600_000;
const LONGEST_MS = 3 * DAY_MS;

/** What a simulated manager did with its budgets. */
export interface SpentVerdict {
  readonly wrong: readonly string[];
  readonly trace: readonly string[];
  readonly turns: number;
  readonly stopped: number;
}

/** Plays the conversations of one manager, whose turns spend the same budgets at the same time. `reserves` is how it works. */
export function playMoney(seed: number, reserves = true): Promise<SpentVerdict> {
  const money = new SimMoney(new World(seed), reserves);
  return money.world.run(() => money.play());
}

/** Sets no money aside for turns that run. */
class Unreserved extends Spending {
  override hasRoom(): boolean {
    return true;
  }
}

class SimMoney {
  readonly world: World;
  readonly #budgets: Budgets;
  readonly #spending: Spending;
  readonly #wrong: string[] = [];
  readonly #trace: string[] = [];
  /** How many turns have reached or passed each shared budget. */
  readonly #passed = new Map<string, number>();
  readonly #spent = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  #free = SLOTS;
  #turns = 0;
  #stopped = 0;

  constructor(world: World, reserves: boolean) {
    this.world = world;
    const limit = () => (world.chance(0.6) ? 1 + world.upTo(4) : undefined);
    this.#budgets = { owner: limit(), day: limit(), total: limit() };
    const values = new Map<string, unknown>();
    const journal = { values, note: (key: string, value: unknown) => void values.set(key, value) };
    const parts = { budgets: this.#budgets, now: () => this.#now };
    this.#spending = new (reserves ? Spending : Unreserved)(journal, parts);
  }

  /** Some of them run into the next day. */
  get #now(): number {
    return DAY_MS - 20_000 + this.world.now();
  }

  async play(): Promise<SpentVerdict> {
    let isDone = false;
    const talks = Array.from({ length: CONVERSATIONS }, (_, index) => this.#talk(index));
    void Promise.all(talks).then(() => {
      isDone = true;
    });
    while (!isDone && this.world.now() < LONGEST_MS) await this.world.sleep(1_000);
    if (!isDone) this.#fails('a message waits for money forever');
    // Only what went wrong is of interest.
    const trace = this.#wrong.length > 0 ? this.#trace : [];
    return { wrong: this.#wrong, trace, turns: this.#turns, stopped: this.#stopped };
  }

  /** A conversation that sends its messages one after the other, as a queue of messages does. */
  async #talk(index: number): Promise<void> {
    const { world } = this;
    const waits = new QueueWaits(world, () => {});
    const owner = OWNERS[index % OWNERS.length] ?? '';
    const talk: Talk = {
      name: `c${index}`,
      record: { name: `c${index}`, owner, costUsd: 0 } as ConversationRecord,
    };
    const gate = new BudgetGate(
      {
        ...talk,
        update: () => {},
        becameIdle: () => {},
        asksForMoney: (prompt) => this.#decide(prompt),
      },
      { spending: this.#spending, clock: world, now: () => this.#now },
      waits,
    );
    for (let left = MESSAGES; left > 0; left -= 1) {
      await world.sleep(world.upTo(5_000));
      await this.#message(gate, talk);
    }
  }

  async #message(gate: BudgetGate, talk: Talk): Promise<void> {
    for (let isOver = false; !isOver; ) {
      const decision = await gate.pass('m', false);
      if (typeof decision === 'object') {
        this.#stopped += 1;
        isOver = true;
      } else if (decision !== 'ask') isOver = await this.#inSlot(gate, talk);
      gate.release();
    }
  }

  /** Runs a turn when there is a slot for it, unless others have spent the money meanwhile. */
  async #inSlot(gate: BudgetGate, { record }: Talk): Promise<boolean> {
    const { world } = this;
    if (this.#free === 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      await world.sleep(world.upTo(1_000));
      if (!gate.confirm()) return false;
      const isJoined = world.chance(0.3) && gate.isOpen;
      if (isJoined) gate.joined();
      for (let turns = isJoined ? 2 : 1; turns > 0; turns -= 1) {
        await world.sleep(1_000 + world.upTo(20_000));
        this.#spend(record.owner, this.#turns === 0 ? MOST_USD : MOST_USD * (0.2 + world.random() * 0.8));
      }
      return true;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #spend(owner: string, costUsd: number): void {
    this.#turns += 1;
    this.#spending.add(owner, costUsd);
    this.#note(`a turn of ${owner} has cost ${costUsd.toFixed(2)} USD`);
    const keys = { owner: `owner ${owner}`, day: `day ${Math.floor(this.#now / DAY_MS)}`, total: 'total' };
    for (const scope of SHARED) {
      const [key, limitUsd] = [keys[scope], this.#budgets[scope]];
      const spentUsd = (this.#spent.get(key) ?? 0) + costUsd;
      this.#spent.set(key, spentUsd);
      if (limitUsd === undefined || spentUsd <= limitUsd) continue;
      const passed = (this.#passed.get(key) ?? 0) + 1;
      this.#passed.set(key, passed);
      if (passed > 1)
        this.#fails(
          `${passed} turns have passed the budget of ${limitUsd} USD (${key}): ${spentUsd.toFixed(2)} USD`,
        );
    }
  }

  #note(text: string): void {
    this.#trace.push(`${String(Math.round(this.world.now())).padStart(7)} ${text}`);
  }

  #fails(text: string): void {
    this.#note(`WRONG: ${text}`);
    this.#wrong.push(text);
  }

  /** Somebody looks after a while, and stops it. */
  #decide(prompt: BudgetPrompt): void {
    this.world.after(this.world.upTo(30_000), () => void prompt.stop());
  }
}

interface Talk {
  readonly name: string;
  readonly record: ConversationRecord;
}
