import { cpSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PermissionPrompt } from '../../../../src/host/session/prompts/permission-prompt.js';
import { emulateCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act, die } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../../../src/lab/testing/emulator/steps/step-types.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Manager } from '../../../../src/server/manager/manager.js';
import type { BudgetPrompt } from '../../../../src/server/manager/money/budget-prompt.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import type { Clock } from '../../../../src/wire/util/clock.js';
import { storeFolder } from '../../../support/manager.js';

const MAX_RUNNING = 2;
const NAMES = ['a', 'b', 'c', 'd'];
/** One owner has three of the conversations. */
const ownerOf = (name: string) => (name === 'd' ? 'few' : 'many');

/** Delays are a hundredth of the real ones. */
const quick: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    if (!Number.isFinite(ms)) return () => {};
    const timer = setTimeout(run, ms / 100);
    return () => clearTimeout(timer);
  },
};

/** Answers a prompt; refused if its manager was closed meanwhile: the next manager asks again. */
function allow(prompt: PermissionPrompt): void {
  try {
    prompt.allow();
  } catch (error) {
    expect(error).toMatchObject({ code: 'MANAGER_CLOSED' });
  }
}

/** What happens to a message the first time a CLI gets it. */
type Fate = 'plain' | 'dies early' | 'dies late' | 'limited' | 'asks';

/** The cost of one message, and what a conversation and all of an owner may spend before it asks. */
const [COST_USD, BUDGET_USD, OWNER_USD] = [1, 2, 5];
/** More than an emulated CLI reports as the cost of a call that hit a limit. */
const FAILURE_USD = 0.001;

interface Sent {
  readonly conversation: string;
  /** How often a CLI completed it. */
  effects: number;
  deliveries: number;
  readonly outcomes: string[];
}

/** CLIs and messages across several managers on one store. */
class World {
  readonly sent = new Map<string, Sent>();
  readonly #managers: Manager[] = [];
  #folder = storeFolder();
  #live = 0;
  #decisions = 0;
  most = 0;

  async start(): Promise<void> {
    const transport = () => {
      const { transport: made } = emulateCli(this.#scenario());
      this.#live += 1;
      this.most = Math.max(this.most, this.#live);
      void made.ended.then(() => {
        this.#live -= 1;
      });
      return made;
    };
    const manager = await openManager(
      {
        store: this.#folder,
        maxRunning: MAX_RUNNING,
        idleMs: 300,
        limitSpreadMs: 0,
        budgets: { conversation: BUDGET_USD, owner: OWNER_USD },
        defaults: { transport, prompts: 'manual' },
      },
      { clock: quick },
    );
    manager.on('turn', ({ messageId, outcome }) => this.#byId.get(messageId)?.outcomes.push(outcome.kind));
    manager.on('budget', ({ prompt }) => setTimeout(() => this.#decide(prompt), 1));
    manager.on('prompt', ({ prompt, state }) => {
      if (state === 'open' && prompt.kind === 'permission') setTimeout(() => allow(prompt), 2);
    });
    this.#managers.push(manager);
  }

  /** Answers what the CLIs of earlier managers asked. */
  answerKept(): void {
    for (const { name } of this.manager.list())
      for (const kept of this.manager.find(name).prompts.open) if (kept.kind === 'permission') kept.allow();
  }

  /** Cancels the last message, if no CLI has it. */
  async cancel(conversation: string): Promise<void> {
    await this.manager
      .conversation(conversation, { owner: ownerOf(conversation) })
      .turns.at(-1)
      ?.cancel();
  }

  get live(): number {
    return this.#live;
  }

  /** One after the other: more budget, one more message, no more messages. */
  #decide(prompt: BudgetPrompt): void {
    this.#decisions += 1;
    if (this.#decisions % 3 === 0) prompt.stop();
    else if (this.#decisions % 3 === 1) prompt.raise(BUDGET_USD);
    else prompt.continueOnce();
  }

  readonly #byId = new Map<string, Sent>();

  send(conversation: string, fate: Fate): void {
    const text = `${this.sent.size} ${fate}`;
    const talk = this.manager.conversation(conversation, { owner: ownerOf(conversation) });
    // Three crashes in a row are reported as such.
    if (talk.state === 'failed') talk.retry();
    const turn = talk.send(text);
    const sent: Sent = { conversation, effects: 0, deliveries: 0, outcomes: [] };
    this.sent.set(text, sent);
    this.#byId.set(turn.userMessageId ?? '', sent);
  }

  async restart(): Promise<void> {
    await this.manager.close();
    await this.start();
  }

  /** As after SIGKILL: the next manager finds the files, and nothing else of the previous one. */
  async kill(): Promise<void> {
    const dead = this.manager;
    const next = storeFolder();
    cpSync(join(this.#folder, 'conversations.jsonl'), join(next, 'conversations.jsonl'));
    this.#folder = next;
    for (const sent of this.sent.values()) Object.freeze(sent.outcomes);
    await dead.close().catch(() => {});
    for (const [text, sent] of this.sent) this.#thaw(text, sent);
    await this.start();
  }

  get manager(): Manager {
    return this.#managers.at(-1) as Manager;
  }

  get isQuiet(): boolean {
    return this.manager.list().every(({ messages }) => messages === 0);
  }

  async close(): Promise<void> {
    await this.manager.close();
  }

  #thaw(text: string, sent: Sent): void {
    const copy = { ...sent, outcomes: [...sent.outcomes] };
    this.sent.set(text, copy);
    for (const [id, each] of this.#byId) if (each === sent) this.#byId.set(id, copy);
  }

  get effects(): number {
    return [...this.sent.values()].reduce((sum, { effects }) => sum + effects, 0);
  }

  /** The cost that a CLI reports is the sum over its life. */
  #scenario(): Scenario {
    let total = 0;
    const paid = () => {
      total += COST_USD;
      return done('done', { total_cost_usd: total });
    };
    const free = () => done('done', { total_cost_usd: total });
    return [onUser(undefined, (text) => this.#steps(text, paid, free), { times: 'any' })];
  }

  #steps(text: string, paid: () => Step, free: () => Step): readonly Step[] {
    const sent = this.sent.get(text);
    if (sent === undefined) return [say('gone on'), free()];
    sent.deliveries += 1;
    const first = sent.deliveries === 1;
    if (first && text.endsWith('dies early')) return [die({ code: 1 })];
    if (first && text.endsWith('dies late')) return [say('half'), die({ code: 1 })];
    if (first && text.endsWith('limited'))
      return [apiFailure({ error: 'rate_limit', status: 429, text: limit() })];
    const count = act(() => {
      (this.sent.get(text) as Sent).effects += 1;
    });
    if (text.endsWith('asks')) return [useTool('Bash', { command: text }, { ask: true }), count, paid()];
    return [say('whole'), count, paid()];
  }
}

function limit(): string {
  return `limit reached|${Math.round(Date.now() / 1000)}`;
}

const commands = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(
        fc.constant('send'),
        fc.constantFrom(...NAMES),
        fc.constantFrom<Fate>('plain', 'dies early', 'dies late', 'limited', 'asks'),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('park'), fc.constantFrom(...NAMES)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('cancel'), fc.constantFrom(...NAMES)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('answer')) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('pass'), fc.integer({ min: 1, max: 8 })) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('restart')) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('kill')) },
  ),
  { minLength: 3, maxLength: 20 },
);

async function perform(world: World, [what, ...args]: readonly unknown[]): Promise<void> {
  switch (what) {
    case 'send':
      return world.send(args[0] as string, args[1] as Fate);
    case 'park':
      void world.manager.conversation(args[0] as string, { owner: ownerOf(args[0] as string) }).park();
      return;
    case 'cancel':
      return world.cancel(args[0] as string);
    case 'answer':
      return world.answerKept();
    case 'pass':
      return new Promise((later) => setTimeout(later, args[0] as number));
    case 'restart':
      return world.restart();
    default:
      return world.kill();
  }
}

/** Each message settles once; it took effect at most once, and if it was reported as a success, it did. */
function checkMessages(world: World): void {
  for (const [text, { outcomes, effects }] of world.sent) {
    const told = outcomes[0] === 'success' ? 1 : 0;
    const most = outcomes[0] === 'budget' || outcomes[0] === 'cancelled' ? 0 : 1;
    const found = { text, outcomes: outcomes.length, enough: effects >= told, once: effects <= most };
    expect(found).toEqual({ text, outcomes: 1, enough: true, once: true });
  }
}

test('whatever happens, each message takes effect once or is reported lost, and slots are never exceeded', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (all) => {
      const world = new World();
      await world.start();
      for (const command of all) await perform(world, command);
      world.answerKept();
      await expect.poll(() => world.isQuiet, { timeout: 10_000, interval: 2 }).toBe(true);
      const most = world.effects * COST_USD + world.sent.size * FAILURE_USD;
      expect(world.manager.counters.costUsd).toBeLessThanOrEqual(most);
      await world.close();
      expect(world.most).toBeLessThanOrEqual(MAX_RUNNING);
      checkMessages(world);
      await expect.poll(() => world.live, { interval: 1 }).toBe(0);
    }),
    { numRuns: 25 },
  );
}, 60_000);
