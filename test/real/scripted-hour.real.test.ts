import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CostTotals } from '../../console-ui/shared/model/totals.js';
import { traceSession } from '../../src/bridges/otel/trace-session.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Session } from '../../src/host/session/session.js';
import { NO_USAGE, type TurnUsage } from '../../src/host/session/turns/usage.js';
import { installEmulator } from '../../src/lab/testing/emulator/program/install-program.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { askModel } from '../../src/lab/testing/emulator/steps/model-steps.js';
import { apiError, type Reply, reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { totalTokens } from '../../src/wire/protocol/reading/token-count.js';
import { storeFolder } from '../support/manager.js';
import { openTelemetry } from '../support/otel.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

vi.setConfig({ testTimeout: 240_000 });

const USAGE = { input_tokens: 100, output_tokens: 10 };
const JOB = {
  description: 'Work',
  prompt: 'the job',
  subagent_type: 'general-purpose',
  run_in_background: false,
};

/** Plays the model of an hour's work: one call is refused, and one reply breaks off. */
function playHour(place: RealPlace): void {
  let hasBroken = false;
  const say = (block: Parameters<typeof reply>[0]) => reply(block, { usage: USAGE });
  place.model.play(({ userText, toolResults, toolNames }): Reply => {
    if (toolResults.length > 0) return say(text('I have the result.'));
    if (userText.endsWith('ask an agent'))
      return say(toolUse(toolNames.includes('Agent') ? 'Agent' : 'Task', JOB));
    if (userText.endsWith('wait aside'))
      return say(toolUse('Bash', { command: 'sleep 0.2', run_in_background: true, description: 'Waits' }));
    if (userText.endsWith('be refused')) return apiError(400);
    if (!userText.endsWith('break off') || hasBroken) return say(text('Aye.'));
    hasBroken = true;
    return reply(text('half a reply'), { usage: USAGE, delivery: { end: 'cut', delayMs: 50 } });
  });
}

const HOUR = ['hello', 'ask an agent', 'wait aside', 'be refused', 'break off', '/compact', 'goodbye'];
/** The end of a command in the background ends 2.0.73. */
const hourOf = ({ version }: KnownRealCli) =>
  HOUR.filter((words) => version !== '2.0.73' || words !== 'wait aside');
const TOOLS = { allowedTools: ['Bash', 'Task', 'Agent'] };

/** All places that say what an hour has cost: they have to agree. */
function bookkeeping() {
  const otel = openTelemetry();
  const outcomes: TurnUsage[] = [];
  const page = new CostTotals();
  const add = ({ usage = NO_USAGE }: { readonly usage?: TurnUsage | undefined }) => void outcomes.push(usage);
  const follow = (session: Pick<Session, 'on'>) => {
    traceSession(session, { tracer: otel.tracer, meter: otel.meter });
    session.on('unasked', (turn) => void turn.outcome.then(add));
    session.on('message', (frame) => {
      const entry = { kind: 'line', t: 0, from: 'cli', line: '', frame } as const;
      page.take({ ...NO_ROW, from: 'cli', entry });
    });
  };
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  const spans = (key: string) => sum(otel.spans().map(({ attributes }) => Number(attributes[key] ?? 0)));
  return {
    add,
    follow,
    outcomesUsd: () => sum(outcomes.map(({ costUsd }) => costUsd)),
    outcomesTokens: () => sum(outcomes.map(totalTokens)),
    otelUsd: () => spans('coxswain.cost_usd'),
    pageUsd: () => sum(page.turns.map(({ costUsd }) => costUsd)),
  };
}

const NO_ROW = { index: 0, at: 0, t: 0, label: '', type: 'result', subtype: undefined, requestId: undefined };

function scriptedHour(cli: KnownRealCli): void {
  test('outcomes, manager, OpenTelemetry and page agree on an hour with a park', async () => {
    await using place = await realPlace(cli);
    playHour(place);
    const books = bookkeeping();
    await using manager = await openManager({ store: storeFolder(), defaults: place.options(TOOLS) });
    const talk = manager.conversation('hour');
    const seen = new Set<Session>();
    for (const words of [...hourOf(cli), 'PARK', 'hello again']) {
      if (words === 'PARK') {
        await talk.settled();
        await talk.park();
        continue;
      }
      const session = await talk.wake();
      if (!seen.has(session)) books.follow(session);
      seen.add(session);
      books.add(await talk.send(words).outcome);
    }
    await talk.settled();
    expect(seen.size).toBe(2);
    const usd = books.outcomesUsd();
    expect(usd).toBeGreaterThan(0);
    expect({
      conversation: talk.facts.costUsd,
      spent: manager.counters.costUsd,
      session: talk.usage.costUsd,
      otel: books.otelUsd(),
      page: books.pageUsd(),
    }).toEqual({
      conversation: expect.closeTo(usd, 8),
      spent: expect.closeTo(usd, 8),
      session: expect.closeTo(usd, 8),
      otel: expect.closeTo(usd, 8),
      page: expect.closeTo(usd, 8),
    });
  });

  test('a turn of a fork costs nothing of what was before', async () => {
    await using place = await realPlace(cli);
    playHour(place);
    let id: string | undefined;
    const cost = async (session: Session) => {
      const { usage } = await session.send('hello').outcome;
      id = session.id;
      await session.close();
      return usage?.costUsd ?? 0;
    };
    const first = await cost(await place.open());
    const resumed = await cost(await place.open({ resume: id }));
    const forked = await cost(await place.open({ resume: id, forkSession: true }));
    // The first call of a process may come with calls that the CLI makes for itself.
    expect(resumed).toBeLessThan(1.2 * first);
    expect(forked).toBeLessThan(1.2 * first);
  });

  test('a console, its API and a remote program agree', async () => {
    await using place = await realPlace(cli);
    playHour(place);
    const books = bookkeeping();
    const { cwd: _cwd, ...session } = place.options();
    const folder = place.folders;
    const server = await startConsole({
      roots: [folder.cwd],
      stateFolder: join(folder.home, 'state'),
      configDir: join(folder.home, '.claude'),
      session,
    });
    onTestFinished(() => server.close());
    await using remote = await openSession({ remote: server.url, cwd: folder.cwd, ...TOOLS });
    books.follow(remote);
    for (const words of hourOf(cli)) books.add(await remote.send(words).outcome);
    await remote.settled();
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${server.token}` };
      return (await (await fetch(`${server.origin}/api/v1${path}`, { headers })).json()) as Record<
        string,
        never
      >;
    };
    const usd = books.outcomesUsd();
    await expect.poll(async () => (await get('/usage')).costUsd).toBeCloseTo(usd, 8);
    const tokens = Object.values((await get('/usage')).tokens ?? {}) as number[];
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(books.outcomesTokens());
    expect([remote.usage.costUsd, books.otelUsd(), books.pageUsd()]).toEqual([
      expect.closeTo(usd, 8),
      expect.closeTo(usd, 8),
      expect.closeTo(usd, 8),
    ]);
  });
}

describe.each(['2.0.73', '2.1.206', '2.1.326'])('a scripted hour on the emulated %s', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-hour-'));
  const path = join(folder, 'emulated-claude');
  beforeAll(async () => {
    const scenario = join(folder, 'scenario.json');
    writeFileSync(scenario, JSON.stringify([onUser(undefined, [askModel()], { times: 'any' })]));
    await installEmulator(path, { version, scenario });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  scriptedHour({ version, path });
});

describeRealClis('a scripted hour', scriptedHour, ['2.0.73', '2.1.17', '2.1.326']);
