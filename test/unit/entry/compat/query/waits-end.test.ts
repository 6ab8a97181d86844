import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QueryControls } from '../../../../../src/entry/compat/query/controls.js';
import { prewarm, Spare } from '../../../../../src/entry/compat/query/prewarm.js';
import { QueryRun } from '../../../../../src/entry/compat/query/query-run.js';
import { startup } from '../../../../../src/entry/compat/query/startup.js';
import { Conversation } from '../../../../../src/entry/compat/run/query-conversation.js';
import type { SDKUserMessage } from '../../../../../src/entry/compat/types/message-types.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { methodsOf, readAll } from '../../../../support/session-waits.js';
import { settle } from '../../../../support/settle.js';
import { type Phase, phases } from '../../../../support/silent-cli.js';
import { testedVersions } from '../../../../support/tested-versions.js';
import { silentOptions } from '../silent-process.js';

/** How long a call may take, and a handshake. */
const CALL_MS = 120_000;
const HANDSHAKE_MS = 660_000;
/** How long a process may take to exit, at most. */
const EXIT_MS = 10_000;

/** Every method of a query that asks the CLI something, with its arguments. */
const calls: Readonly<Record<string, readonly unknown[]>> = {
  interrupt: [],
  setPermissionMode: ['default'],
  setMcpPermissionModeOverride: ['one', 'default'],
  setModel: ['sonnet'],
  setMaxThinkingTokens: [1_000],
  applyFlagSettings: [{}],
  updateSettings: ['userSettings', {}],
  initializationResult: [],
  reinitialize: [],
  supportedCommands: [],
  supportedModels: [],
  supportedAgents: [],
  accountInfo: [],
  mcpServerStatus: [],
  reconnectMcpServer: ['one'],
  toggleMcpServer: ['one', true],
  setMcpServers: [{}],
  readMcpResource: ['one', 'ui://a'],
  getContextUsage: [],
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: [],
  readFile: ['a.txt'],
  seedReadState: ['a.txt', 1],
  rewindFiles: ['u1'],
  reloadPlugins: [],
  reloadSkills: [],
  reloadOutputStyles: [],
  stopTask: ['t1'],
  backgroundTasks: ['t1'],
};

/** The methods that end a query or read it, and those that others call. */
const others = ['next', 'return', 'throw', 'close', 'streamInput', 'ask', 'setServers'];

/** The ways to end a query. */
const ends = ['abort', 'close()', 'return()', 'throw()', 'disposal'] as const;

/** A query with a silent CLI, and everything that waits for it. */
class Stage {
  readonly clock = new ManualClock();
  readonly abortController = new AbortController();
  readonly conversation: Conversation;
  readonly run: QueryRun;
  readonly #waiting = new Set<string>();
  #streams = 0;

  constructor(phase: Phase, version: string, { parked = false } = {}) {
    const { abortController, clock } = this;
    const options = { ...silentOptions(phase, version, clock), abortController };
    this.conversation = new Conversation(options, { clock, warm: parked, parked });
    this.run = new QueryRun(this.conversation);
  }

  /** Goes to a phase, with a prompt that reached it. */
  static async at(phase: Phase, version: string): Promise<Stage> {
    const stage = new Stage(phase, version);
    stage.wait({ 'the prompt': stage.conversation.write('go') });
    await settle(5);
    if (phase === 'closing') stage.run.close();
    return stage;
  }

  /** Keeps the names of waits until they have ended, in any way. */
  wait(waits: Readonly<Record<string, Promise<unknown>>>): void {
    for (const [name, promise] of Object.entries(waits)) {
      this.#waiting.add(name);
      const ended = () => this.#waiting.delete(name);
      promise.then(ended, ended);
    }
  }

  waitForCalls(): void {
    const { run } = this;
    const methods = run as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>;
    for (const [name, values] of Object.entries(calls))
      this.wait({ [name]: methods[name]?.(...values) ?? Promise.resolve() });
  }

  /** Everything that the program gives to the query, and reads from it. */
  waitForStreams(): void {
    this.#streams += 1;
    this.wait({
      [`reading ${this.#streams}`]: readAll(this.run),
      [`next() ${this.#streams}`]: this.run.next(),
      [`streaming ${this.#streams}`]: this.run.streamInput(messages()),
      [`streaming an endless iterable ${this.#streams}`]: this.run.streamInput(endless),
    });
  }

  /** Ends the query in one way; the process may still be running. */
  end(how: (typeof ends)[number]): void {
    const { run } = this;
    if (how === 'abort') this.abortController.abort();
    if (how === 'close()') run.close();
    if (how === 'return()') this.wait({ 'return()': run.return() });
    if (how === 'throw()') this.wait({ 'throw()': run.throw(new Error('enough')) });
    if (how === 'disposal') this.wait({ disposal: run[Symbol.asyncDispose]() });
  }

  /** What still waits after this time. */
  async left(ms: number): Promise<readonly string[]> {
    await this.clock.pass(ms);
    await settle(5);
    return [...this.#waiting];
  }

  /** Ends the query: nothing may be left, not even a timer. */
  async over(): Promise<void> {
    this.end('disposal');
    expect(await this.left(EXIT_MS)).toEqual([]);
    expect(this.clock.size, 'timers that are left').toBe(0);
  }
}

async function* messages(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: 'more' }, parent_tool_use_id: null };
}

/** Waits for something that never comes. */
const endless: AsyncIterable<SDKUserMessage> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
};

describe('in a query whose CLI falls silent, every wait ends', () => {
  test('the list of calls is complete', () => {
    const known = [...Object.keys(calls), ...others].sort();
    const own = [QueryControls.prototype, QueryRun.prototype].flatMap(methodsOf);
    expect([...new Set(own)].sort()).toEqual(known);
  });

  describe.each(testedVersions)('%s', (version) => {
    describe.each(phases)('%s', (phase) => {
      test.each(ends)('by %s: everything', async (how) => {
        const stage = await Stage.at(phase, version);
        stage.waitForCalls();
        stage.waitForStreams();
        await settle(3);
        stage.end(how);
        // Only disposal waits for the process.
        expect(await stage.left(how === 'disposal' ? EXIT_MS : 0)).toEqual([]);
        stage.waitForCalls();
        stage.waitForStreams();
        expect(await stage.left(0)).toEqual([]);
        await stage.over();
      });

      test('by its deadline: a call', async () => {
        const stage = await Stage.at(phase, version);
        stage.waitForCalls();
        const left = await stage.left(phase === 'opening' ? HANDSHAKE_MS + EXIT_MS : CALL_MS);
        expect(left.filter((name) => name !== 'the prompt')).toEqual([]);
        await stage.over();
      });
    });
  });

  const acts = fc.array(fc.constantFrom(...ends, 'streams', 'calls', 'a prompt', 'a second', 'an hour'), {
    minLength: 1,
    maxLength: 8,
  });

  test('after any acts, once it is disposed of', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...phases),
        fc.constantFrom(...testedVersions),
        acts,
        async (phase, version, plan) => {
          const stage = await Stage.at(phase, version);
          for (const act of plan) await perform(act, stage);
          await stage.over();
        },
      ),
      { numRuns: 100 },
    );
  });
});

async function perform(act: string, stage: Stage): Promise<void> {
  const how = ends.find((each) => each === act);
  if (how !== undefined) stage.end(how);
  if (act === 'streams') stage.waitForStreams();
  if (act === 'calls') stage.waitForCalls();
  if (act === 'a prompt') stage.wait({ [`prompt ${Math.random()}`]: stage.conversation.write('more') });
  if (act === 'a second') await stage.clock.pass(1_000);
  if (act === 'an hour') await stage.clock.pass(3_600_000);
}

describe('a CLI that is started ahead and falls silent', () => {
  test.each([
    ['startup()', startup],
    ['prewarm()', prewarm],
  ] as const)('%s ends by the abort of its options', async (_name, start) => {
    const clock = new ManualClock();
    const abortController = new AbortController();
    const options = { ...silentOptions('opening', '2.1.326', clock), cwd: '.', abortController };
    const started = start({ options });
    await settle(5);
    abortController.abort();
    await expect(started).rejects.toThrow('aborted');
    await clock.pass(EXIT_MS);
  });

  test.each(['unclaimed', 'claimed'] as const)('a spare that is %s ends in each way', async (state) => {
    for (const how of ['abort', 'close()', 'disposal'] as const) {
      const stage = new Stage('queued', '2.1.326', { parked: true });
      await stage.conversation.initialized;
      const spare = new Spare(stage.conversation);
      stage.wait({ claimed: spare.claimed, exited: spare.exited });
      if (state === 'claimed')
        stage.wait({ 'reading it': readAll(spare.claim({ prompt: endless, options: { cwd: '/w' } })) });
      await settle(3);
      if (how === 'disposal') stage.wait({ disposal: spare[Symbol.asyncDispose]() });
      else if (how === 'close()') spare.close();
      else stage.abortController.abort();
      expect(await stage.left(EXIT_MS)).toEqual([]);
      await stage.over();
    }
  });

  test('a claim without an answer ends by its deadline', async () => {
    const stage = new Stage('queued', '2.1.326', { parked: true });
    await stage.conversation.initialized;
    const spare = new Spare(stage.conversation);
    stage.wait({ claimed: spare.claimed });
    const options = { cwd: '/w', model: 'sonnet', settings: { model: 'sonnet' } };
    spare.claim({ prompt: 'go', options });
    expect(await stage.left(CALL_MS)).toEqual([]);
    await stage.over();
  });
});
