import { expect, test } from 'vitest';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { emulatedManager } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

/** Each message costs a dollar; a CLI reports the sum of its turns. */
const costs: Scenario = [1, 2, 3, 4, 5].map((total) =>
  onUser(undefined, [say('dear'), done('dear', { total_cost_usd: total })]),
);

test('of an owner counts across conversations and restarts', async () => {
  const { manager, store } = await emulatedManager({ scenarios: [costs] }, { budgets: { owner: 1 } });
  await manager.conversation('one', { owner: 'team' }).send('x').outcome;
  await manager.close();
  const next = await emulatedManager({ scenarios: [costs] }, { store, budgets: { owner: 1 } });
  const [mine, other] = [
    next.manager.conversation('two', { owner: 'team' }),
    next.manager.conversation('three', { owner: 'others' }),
  ];
  const waiting = mine.send('x');
  expect((await other.send('x').outcome).kind).toBe('success');
  await expect.poll(() => mine.state).toBe('paused');
  mine.budgetPrompt?.continueOnce();
  expect((await waiting.outcome).kind).toBe('success');
  expect(next.manager.counters.costUsd).toBe(3);
});

test('of a day starts again on the next one, and waiting messages continue automatically', async () => {
  let now = Date.UTC(2026, 0, 1, 23);
  const clock = new ManualClock();
  const { manager } = await emulatedManager(
    { scenarios: [costs] },
    { budgets: { day: 1 } },
    { now: () => now, clock },
  );
  await manager.conversation('one').send('x').outcome;
  const two = manager.conversation('two');
  const waiting = two.send('x');
  await expect.poll(() => two.budgetPrompt?.breach.scope).toBe('day');
  now += 3_600_000;
  clock.advance(3_600_000);
  expect(two.state).toBe('paused');
  now += 1_000;
  clock.advance(1_000);
  expect((await waiting.outcome).kind).toBe('success');
  expect(two.budgetPrompt).toBeUndefined();
});

test('in total counts every owner and conversation', async () => {
  const { manager } = await emulatedManager({ scenarios: [costs] }, { budgets: { total: 2 } });
  await manager.conversation('one', { owner: 'a' }).send('x').outcome;
  await manager.conversation('two', { owner: 'b' }).send('x').outcome;
  const waiting = manager.conversation('three', { owner: 'c' }).send('x');
  await expect.poll(() => manager.find('three').state).toBe('paused');
  expect(manager.find('three').budgetPrompt?.breach).toEqual({ scope: 'total', limitUsd: 2, spentUsd: 2 });
  manager.find('three').budgetPrompt?.stop();
  expect((await waiting.outcome).kind).toBe('budget');
});

test('during a decision, the CLI is parked like any idle one, and a watched one stays', async () => {
  const clock = new ManualClock();
  const options = { budgets: { conversation: 1 }, idleMs: 1_000 };
  const { manager, clis } = await emulatedManager({ scenarios: [costs] }, options, { clock });
  const talk = manager.conversation('one');
  await talk.send('first').outcome;
  const leave = talk.watch();
  const second = talk.send('second');
  await expect.poll(() => talk.state).toBe('paused');
  clock.advance(2_000);
  expect(talk.info).toBeDefined();
  leave();
  await expect.poll(() => talk.idleMs).toBeDefined();
  clock.advance(1_000);
  await expect.poll(() => talk.info).toBeUndefined();
  expect(talk.state).toBe('paused');
  await talk.park();
  talk.budgetPrompt?.continueOnce();
  expect((await second.outcome).kind).toBe('success');
  expect(clis()).toBe(2);
});

test('of one conversation can be set separately, and changed while it waits', async () => {
  const { manager, store } = await emulatedManager({ scenarios: [costs] }, { budgets: { conversation: 9 } });
  const talk = manager.conversation('one');
  talk.setBudget(1);
  await talk.send('first').outcome;
  const second = talk.send('second');
  await expect.poll(() => talk.budgetPrompt).toBeDefined();
  const asked = talk.budgetPrompt;
  talk.setBudget(2);
  expect((await second.outcome).kind).toBe('success');
  expect(asked?.raise(5)).toBe(false);
  expect(() => talk.setBudget(Number.NaN)).toThrow(RangeError);
  await manager.close();
  const next = await emulatedManager({ scenarios: [costs] }, { store, budgets: { conversation: 9 } });
  expect(next.manager.find('one').budgetUsd).toBe(2);
  next.manager.find('one').setBudget(undefined);
  expect(next.manager.find('one').budgetUsd).toBe(9);
});

test('includes the earlier usage of a conversation, for itself alone', async () => {
  const { manager } = await emulatedManager(
    { scenarios: [costs] },
    { budgets: { conversation: 5, total: 5 } },
  );
  const tokens = { inputTokens: 1, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  const talk = manager.conversation('one', { usedBefore: { costUsd: 5, ...tokens } });
  expect([talk.costUsd, talk.usage.costUsd, manager.counters.costUsd]).toEqual([5, 5, 0]);
  talk.send('x');
  await expect.poll(() => talk.budgetPrompt?.breach.scope).toBe('conversation');
});

test('cancelling a message withdraws the prompt', async () => {
  const { manager } = await emulatedManager({ scenarios: [costs] }, { budgets: { conversation: 1 } });
  const talk = manager.conversation('one');
  await talk.send('first').outcome;
  const second = talk.send('second');
  await expect.poll(() => talk.budgetPrompt).toBeDefined();
  const asked = talk.budgetPrompt;
  expect(await second.cancel()).toBe(true);
  await expect.poll(() => talk.budgetPrompt).toBeUndefined();
  expect([asked?.isOpen, await asked?.decided]).toEqual([false, { kind: 'withdrawn' }]);
});

test.each(['conversation', 'owner', 'day', 'total'] as const)(
  'a raise counts from what is spent, even above the limit: %s',
  async (scope) => {
    const { manager } = await emulatedManager({ scenarios: [costs] }, { budgets: { [scope]: 0.1 } });
    const talk = manager.conversation('one');
    await talk.send('first').outcome;
    const second = talk.send('second');
    await expect.poll(() => talk.budgetPrompt?.breach).toMatchObject({ scope, limitUsd: 0.1, spentUsd: 1 });
    talk.budgetPrompt?.raise(0.5);
    expect((await second.outcome).kind).toBe('success');
    talk.send('third');
    await expect.poll(() => talk.budgetPrompt?.breach).toMatchObject({ scope, limitUsd: 1.5, spentUsd: 2 });
  },
);

test('is checked again when a message has waited for a slot', async () => {
  const { manager } = await emulatedManager({ scenarios: [costs] }, { budgets: { total: 1 }, maxRunning: 1 });
  const [first, second, third] = ['one', 'two', 'three'].map((name) => manager.conversation(name));
  const turns = [first, second, third].map((talk) => talk?.send('x'));
  expect((await turns[0]?.outcome)?.kind).toBe('success');
  await expect.poll(() => [second?.state, third?.state]).toEqual(['paused', 'paused']);
  expect(manager.counters.costUsd).toBe(1);
  second?.budgetPrompt?.continueOnce();
  expect((await turns[1]?.outcome)?.kind).toBe('success');
  expect(third?.state).toBe('paused');
});

test.each(['owner', 'day', 'total'] as const)(
  'with a free slot for each, one turn runs first, and the others ask once it has spent the budget: %s',
  async (scope) => {
    const { manager, clis } = await emulatedManager(
      { scenarios: [costs] },
      { budgets: { [scope]: 1 }, maxRunning: 8 },
    );
    const talks = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => manager.conversation(`talk ${n}`, { owner: 'team' }));
    const [first] = talks.map((talk) => talk.send('x'));
    expect(talks.slice(1).map(({ state }) => state)).not.toContain('paused');
    expect((await first?.outcome)?.kind).toBe('success');
    await expect.poll(() => talks.filter(({ state }) => state === 'paused')).toHaveLength(7);
    expect([manager.counters.costUsd, clis()]).toEqual([1, 1]);
    talks[4]?.budgetPrompt?.continueOnce();
    await expect.poll(() => manager.counters.costUsd).toBe(2);
    await expect.poll(() => talks.filter(({ state }) => state === 'paused')).toHaveLength(6);
  },
);

test('lets so many turns run at once that one of them may pass it, if none costs more than the earlier ones', async () => {
  const { manager } = await emulatedManager(
    { scenarios: [costs] },
    { budgets: { total: 4.5 }, maxRunning: 8 },
  );
  await manager.conversation('first').send('x').outcome;
  const talks = [1, 2, 3, 4, 5, 6].map((n) => manager.conversation(`talk ${n}`));
  for (const talk of talks) talk.send('x');
  await expect.poll(() => talks.filter(({ state }) => state === 'paused')).toHaveLength(2);
  expect(manager.counters.costUsd).toBe(5);
});

test('counts messages that join a running turn', async () => {
  const { manager } = await emulatedManager({ scenarios: [costs] }, { budgets: { total: 1 } });
  const talk = manager.conversation('one');
  const turns = ['a', 'b', 'c'].map((text) => talk.send(text, { whileBusy: 'join' }));
  expect((await turns[0]?.outcome)?.kind).toBe('success');
  await expect.poll(() => talk.state).toBe('paused');
  expect(manager.counters.costUsd).toBe(1);
});

test('deleting a conversation whose turn runs lets the next one run', async () => {
  const hangs: Scenario = [onUser(undefined, [hang()])];
  const { manager } = await emulatedManager({ scenarios: [hangs, costs] }, { budgets: { total: 1 } });
  const [first, second] = ['one', 'two'].map((name) => manager.conversation(name));
  first?.send('x');
  await expect.poll(() => first?.state).toBe('running');
  const waiting = second?.send('x');
  await expect.poll(() => second?.state).toBe('queued');
  await manager.delete('one');
  expect((await waiting?.outcome)?.kind).toBe('success');
});
