import { describe, expect, test } from 'vitest';
import { rateLimitEvent } from '../../../../src/lab/testing/builders/system.js';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { loginOf, OWN_LOGIN } from '../../../../src/server/manager/limits/login.js';
import type { LoginLimits } from '../../../../src/server/manager/limits/plan-holds.js';
import { checkManagerOptions } from '../../../../src/server/manager/manager-option-checks.js';
import type { ManagerOptions } from '../../../../src/server/manager/manager-options.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const START = 1_800_000_000_000;
const HOUR = 3_600_000;

/** Answers, and reports how full the windows are; without a reset time if `hours` is null. */
function reports(fiveHour: number, hours: number | null = 1, sevenDay = 0.2): Scenario {
  const at = (ms: number) => (START + ms) / 1000;
  const unifiedWindows = {
    five_hour: { utilization: fiveHour, ...(hours === null ? {} : { resetsAt: at(hours * HOUR) }) },
    seven_day: { utilization: sevenDay, resetsAt: at(100 * HOUR) },
  };
  const report = rateLimitEvent({ status: 'allowed', utilization: undefined, unifiedWindows });
  return [onUser(undefined, (text) => [send(report), say(`echo: ${text}`), done()], { times: 'any' })];
}

async function managed(scenarios: readonly Scenario[], options: Partial<ManagerOptions> = {}, ms = 0) {
  const clock = new ManualClock();
  const now = () => START + ms + clock.now();
  const all = await emulatedManager({ scenarios }, { holdAbove: 0.9, ...options }, { clock, now });
  return { ...all, clock };
}

describe('holdAbove', () => {
  test('lets work wait for what a manager elsewhere has heard, and tells others', async () => {
    const told: LoginLimits[] = [];
    let learn: (limits: LoginLimits) => void = () => {};
    const limitExchange = {
      tell: (limits: LoginLimits) => void told.push(limits),
      listen: (learning: (limits: LoginLimits) => void) => {
        learn = learning;
      },
    };
    const clock = new ManualClock();
    const now = () => START + clock.now();
    const deps = { clock, now, limitExchange };
    const { manager } = await emulatedManager({ scenarios: [reports(0.2), echo] }, { holdAbove: 0.9 }, deps);
    await manager.conversation('first').send('x').outcome;
    expect(told).toMatchObject([{ login: OWN_LOGIN, windows: [{ utilization: 0.2 }, {}] }]);
    clock.advance(1);
    const windows = [{ name: 'five_hour', utilization: 0.95, resetsAt: START + HOUR }];
    learn({ login: OWN_LOGIN, status: 'allowed', windows, overage: false, at: now() });
    const talk = manager.conversation('second');
    const turn = talk.send('y');
    await expect.poll(() => talk.state).toBe('limited');
    clock.advance(2 * HOUR);
    expect(await turn.text()).toBe('echo: y');
  });

  test('lets new messages wait until the window resets', async () => {
    const { manager, clock } = await managed([reports(0.93), echo]);
    const told = deferred<unknown>();
    manager.on('limits', ({ limits }) => told.resolve(limits));
    expect(await manager.conversation('first').send('x').text()).toBe('echo: x');
    expect(await told.promise).toMatchObject({ login: OWN_LOGIN, status: 'allowed' });
    expect(manager.limits).toMatchObject([{ windows: [{ name: 'five_hour', utilization: 0.93 }, {}] }]);
    const talk = manager.conversation('second');
    const turn = talk.send('y');
    await expect.poll(() => talk.state).toBe('limited');
    expect(talk.facts.limitUntil).toEqual(new Date(START + HOUR));
    expect(manager.counters.waiting).toBe(1);
    clock.advance(HOUR);
    expect(await turn.text()).toBe('echo: y');
    expect([talk.facts.limitUntil, clock.size]).toEqual([undefined, clock.size]);
  });

  test('holds nothing below the share, and nothing without the option', async () => {
    for (const options of [{}, { holdAbove: undefined }]) {
      const { manager } = await managed([reports(options === undefined ? 1 : 0.89), echo], options);
      await manager.conversation('first').send('x').text();
      expect(await manager.conversation('second').send('y').text()).toBe('echo: y');
    }
  });

  test('ends as soon as a report says that the window is emptier', async () => {
    const gate = deferred<void>();
    const later = reports(0.1);
    const slow: Scenario = [onUser(undefined, [act(() => gate.promise), done()]), ...later];
    const { manager } = await managed([slow, reports(0.95), echo]);
    const running = manager.conversation('slow');
    const first = running.send('x');
    await expect.poll(() => running.state).toBe('running');
    await manager.conversation('full').send('x').text();
    const joined = running.send('more', { whileBusy: 'join' });
    const talk = manager.conversation('held');
    const turn = talk.send('y');
    await expect.poll(() => talk.state).toBe('limited');
    // What joins a running turn is not new work, and what it reports counts.
    gate.resolve();
    await first.outcome;
    await joined.outcome;
    expect(await turn.text()).toBe('echo: y');
  });

  test('lets important conversations begin, and the others in order of priority', async () => {
    const order: string[] = [];
    const noting: Scenario = [
      onUser(undefined, (text) => [act(() => void order.push(text)), done()], { times: 'any' }),
    ];
    const holdAbove = { 0: 0.8, 5: 0.95 };
    const { manager, clock } = await managed([reports(0.9), noting], { holdAbove, maxRunning: 1 });
    await manager.conversation('first').send('x').outcome;
    const held = [-1, 3, 1].map((priority) =>
      manager.conversation(`p${priority}`, { priority }).send(`p${priority}`),
    );
    await manager.conversation('p5', { priority: 5 }).send('p5').outcome;
    expect(order).toEqual(['p5']);
    clock.advance(HOUR);
    await Promise.all(held.map(({ outcome }) => outcome));
    expect(order).toEqual(['p5', 'p3', 'p1', 'p-1']);
  });

  test('is bounded if no reset time is reported', async () => {
    const { manager, clock } = await managed([reports(0.95, null), echo]);
    await manager.conversation('first').send('x').text();
    const talk = manager.conversation('second');
    const turn = talk.send('y');
    await expect.poll(() => talk.state).toBe('limited');
    expect(talk.facts.limitUntil).toEqual(new Date(START + 15 * 60_000));
    clock.advance(15 * 60_000);
    expect(await turn.text()).toBe('echo: y');
  });

  test('settles messages that must not wait for a limit', async () => {
    const { manager } = await managed([reports(0.95), echo], { onLimit: 'fail' });
    await manager.conversation('first').send('x').text();
    const outcome = await manager.conversation('second').send('y').outcome;
    expect(outcome).toMatchObject({ kind: 'rate-limited', endsAt: new Date(START + HOUR) });
  });

  test('survives a restart, and a message can be cancelled', async () => {
    const { manager, store } = await managed([reports(0.95)]);
    await manager.conversation('first').send('x').text();
    await manager.close();
    const next = await managed([echo], { store });
    const talk = next.manager.conversation('second');
    const turn = talk.send('y');
    await expect.poll(() => talk.state).toBe('limited');
    expect(await turn.cancel()).toBe(true);
    await expect.poll(() => [talk.state, next.clock.size]).toEqual(['parked', 0]);
  });

  test('concerns one login only', async () => {
    const { manager } = await managed([reports(0.95), echo]);
    await manager.conversation('first').send('x').text();
    const other = manager.conversation('second', { env: { CLAUDE_CODE_OAUTH_TOKEN: 'made-up' } });
    expect(await other.send('y').text()).toBe('echo: y');
  });

  test('is a share, or shares by priority', () => {
    const check = (holdAbove: unknown) => checkManagerOptions({ store: '/x', holdAbove } as ManagerOptions);
    for (const good of [0, 0.9, 1, { 0: 0.8, 5: 0.95 }]) expect(() => check(good)).not.toThrow();
    for (const bad of [90, -1, 'most', { 0: 90 }]) expect(() => check(bad)).toThrow('holdAbove');
  });
});

describe('a login', () => {
  const own = { HOME: '/home/me', ANTHROPIC_API_KEY: undefined };

  test('is the own one unless the options change it', () => {
    expect(loginOf({}, own)).toBe(OWN_LOGIN);
    expect(loginOf({ env: { DEBUG: '1' }, envMode: 'isolated' }, own)).toBe(OWN_LOGIN);
    expect(loginOf({ env: { HOME: '/home/me' } }, own)).toBe(OWN_LOGIN);
  });

  test('tells nothing about the secrets of others', () => {
    const one = loginOf({ env: { CLAUDE_CODE_OAUTH_TOKEN: 'secret-one' } }, own);
    const other = loginOf({ env: { CLAUDE_CODE_OAUTH_TOKEN: 'secret-two' } }, own);
    const replaced = loginOf({ env: {}, envMode: 'replace' }, own);
    expect(new Set([OWN_LOGIN, one, other, replaced]).size).toBe(4);
    expect(one).toMatch(/^[0-9a-f]{12}$/);
  });
});
