import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Conversation } from '../../../../src/server/manager/conversations/conversation.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager, manual, storeFolder } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

const always = { times: 'any' } as const;

describe('a conversation', () => {
  test('answers, is parked when idle, and continues with another CLI', async () => {
    const clock = new ManualClock();
    const { manager, clis } = await emulatedManager({ scenarios: [echo] }, { idleMs: 1_000 }, { clock });
    const talk = manager.conversation('one');
    expect(talk.state).toBe('parked');
    expect(await talk.send('first').text()).toBe('echo: first');
    expect(talk.state).toBe('running');
    await expect.poll(() => talk.idleMs).toBeDefined();
    clock.advance(1_000);
    await expect.poll(() => talk.state).toBe('parked');
    expect([talk.pid, talk.info]).toEqual([undefined, undefined]);
    expect(await talk.send('second').text()).toBe('echo: second');
    expect(clis()).toBe(2);
    expect(manager.counters).toMatchObject({ running: 1, starts: 1, resumes: 1 });
  });

  test('a reader that leaves while the turn waits is released', async () => {
    const gate = deferred<void>();
    const busy = [onUser(undefined, [act(() => gate.promise), done()], always)];
    const { manager } = await emulatedManager({ scenarios: [busy] }, { maxRunning: 1 });
    manager.conversation('first').send('x');
    const second = manager.conversation('second');
    for (const iterable of [second.send('y'), second.send('z').textDeltas()]) {
      const reader = iterable[Symbol.asyncIterator]();
      const read = reader.next();
      await reader.return?.();
      expect(await read).toEqual({ value: undefined, done: true });
    }
    gate.resolve();
  });
});

describe('slots', () => {
  test('never more CLIs than allowed; an idle one makes room', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] }, { maxRunning: 2 });
    let most = 0;
    manager.on('state', () => {
      most = Math.max(most, manager.counters.running);
    });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const texts = await Promise.all(names.map((name) => manager.conversation(name).send(name).text()));
    expect(texts).toEqual(names.map((name) => `echo: ${name}`));
    expect(most).toBe(2);
  });

  test('a waiting message can be cancelled', async () => {
    const gate = deferred<void>();
    const { manager } = await emulatedManager(
      { scenarios: [[onUser(undefined, [act(() => gate.promise), say('done'), done()], always)]] },
      { maxRunning: 1 },
    );
    const first = manager.conversation('first').send('x');
    const second = manager.conversation('second');
    const waiting = second.send('y');
    await expect.poll(() => second.ahead).toBe(0);
    expect(second.state).toBe('queued');
    expect(await waiting.cancel()).toBe(true);
    expect((await waiting.outcome).kind).toBe('cancelled');
    await expect.poll(() => second.state).toBe('parked');
    gate.resolve();
    expect(await first.text()).toBe('done');
  });

  test('a message cancelled in the moment it gets a slot starts no CLI', async () => {
    const { manager, clis } = await emulatedManager({ scenarios: [echo] }, { maxRunning: 1 });
    const [first, second] = [manager.conversation('first'), manager.conversation('second')];
    first.on('state', ({ state }) => {
      if (state === 'queued') void cancelled.cancel();
    });
    const cancelled = first.send('x');
    expect((await cancelled.outcome).kind).toBe('cancelled');
    expect(await second.send('y').text()).toBe('echo: y');
    expect([clis(), first.state]).toEqual([1, 'parked']);
  });
});

describe('a usage limit', () => {
  test('is waited for, even across a restart', async () => {
    const clock = new ManualClock();
    let time = 1_000_000_000_000;
    const limited = [
      onUser(
        undefined,
        [apiFailure({ error: 'rate_limit', status: 429, text: `limit reached|${time / 1000 + 60}` })],
        always,
      ),
    ];
    const { manager, store } = await emulatedManager(
      { scenarios: [limited] },
      {},
      { clock, now: () => time },
    );
    const talk = manager.conversation('one');
    talk.send('x');
    await expect.poll(() => talk.state).toBe('limited');
    expect(talk.facts.limitUntil).toEqual(new Date(time + 60_000));
    await manager.close();
    const next = await emulatedManager({ scenarios: [echo] }, { store }, { clock, now: () => time });
    const settled = deferred<unknown>();
    next.manager.on('turn', ({ outcome }) => settled.resolve(outcome));
    await expect.poll(() => next.manager.find('one').state).toBe('limited');
    time += 60_000;
    clock.advance(60_000);
    expect(await settled.promise).toMatchObject({ kind: 'success', text: 'echo: x' });
  });
});

describe('a usage limit whose end has passed', () => {
  test('is tried again with growing delays', async () => {
    const clock = new ManualClock();
    const past = [
      onUser(
        undefined,
        [apiFailure({ error: 'rate_limit', status: 429, text: 'limit reached|1000000000' })],
        always,
      ),
    ];
    const now = () => 1_000_000_000_000 + 60_000 + clock.now();
    const scenarios = [past, past, past, echo];
    const { manager, clis } = await emulatedManager({ scenarios }, {}, { clock, now });
    const talk = manager.conversation('one');
    const turn = talk.send('x');
    const waits: number[] = [];
    for (let n = 1; n <= 3; n += 1) {
      await expect.poll(() => [clis(), talk.state]).toEqual([n, 'limited']);
      waits.push((talk.facts.limitUntil?.getTime() ?? 0) - now());
      clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([250, 500, 1_000]);
    expect(await turn.text()).toBe('echo: x');
  });

  test('a limit that ends far in the future is tried again after some days', async () => {
    const text = `limit reached|${Date.now() + 300 * 86_400_000}`;
    const far = [onUser(undefined, [apiFailure({ error: 'rate_limit', status: 429, text })], always)];
    const { manager } = await emulatedManager({ scenarios: [far] });
    const talk = manager.conversation('one');
    talk.send('x');
    await expect.poll(() => talk.state).toBe('limited');
    expect(talk.facts.limitUntil?.getTime()).toBeLessThan(Date.now() + 9 * 86_400_000);
  });
});

describe('the store', () => {
  test('refuses a second manager', async () => {
    const { store } = await emulatedManager({ scenarios: [echo] });
    await expect(emulatedManager({ scenarios: [echo] }, { store })).rejects.toMatchObject({
      code: 'STORE_IN_USE',
    });
  });

  test('is released when a manager cannot be opened', async () => {
    const store = storeFolder();
    const fails = () => {
      throw new Error('no CLI');
    };
    await expect(openManager({ store, warm: 1 }, { startSession: fails })).rejects.toThrow('no CLI');
    const { manager } = await emulatedManager({ scenarios: [echo] }, { store });
    expect(manager.list()).toEqual([]);
  });

  test('that is damaged opens with the rest, and a diagnostic says so', async () => {
    const { manager, store } = await emulatedManager({ scenarios: [echo] });
    manager.conversation('one');
    await manager.close();
    const path = join(store, 'conversations.jsonl');
    appendFileSync(path, 'not a line of a store\n');
    const told: unknown[] = [];
    const onDiagnostic = (value: object) => told.push(value);
    const next = await emulatedManager({ scenarios: [echo] }, { store, onDiagnostic });
    expect(next.manager.list().map(({ name }) => name)).toEqual(['one']);
    const diagnostic = { code: 'STORE_DAMAGED', lines: 1, message: expect.stringContaining(path) };
    await expect.poll(() => told).toMatchObject([{ conversation: '', diagnostic }]);
  });

  test('that is nothing but a torn line opens empty, says so, and can be used', async () => {
    const store = storeFolder();
    const path = join(store, 'conversations.jsonl');
    writeFileSync(path, '{"format":"coxswain-man');
    const told: unknown[] = [];
    const onDiagnostic = (value: object) => told.push(value);
    const { manager } = await emulatedManager({ scenarios: [echo] }, { store, onDiagnostic });
    expect(manager.list()).toEqual([]);
    const diagnostic = { code: 'STORE_DAMAGED', lines: 1, message: expect.stringContaining(path) };
    await expect.poll(() => told).toMatchObject([{ conversation: '', diagnostic }]);
    expect(await manager.conversation('one').send('x').text()).toBe('echo: x');
  });

  test('keeps waiting messages when the manager is closed', async () => {
    const gate = deferred<void>();
    const { manager, store } = await emulatedManager({
      scenarios: [[onUser(undefined, [act(() => gate.promise)], always)]],
    });
    const turns = ['a', 'b'].map((text) => manager.conversation('one').send(text));
    await expect.poll(() => manager.find('one').state).toBe('running');
    await manager.close();
    expect(await Promise.all(turns.map(async ({ outcome }) => (await outcome).kind))).toEqual([
      'closed',
      'closed',
    ]);
    const next = await emulatedManager({ scenarios: [echo] }, { store: storeFolder() });
    expect(next.manager.list()).toEqual([]);
    await next.manager.close();
    const again = await emulatedManager({ scenarios: [echo] }, { store });
    const texts: string[] = [];
    again.manager.on('turn', ({ outcome }) =>
      texts.push(outcome.kind === 'success' ? outcome.text : outcome.kind),
    );
    await expect.poll(() => texts).toEqual(['echo: a', 'echo: b']);
    gate.resolve();
  });
});

describe('prompts', () => {
  test('an answer to a call that is not repeated is reported', async () => {
    const asks = [onUser(undefined, [useTool('Bash', { command: 'ls' }, { ask: true }), done()], always)];
    const { manager, store } = await emulatedManager({ scenarios: [asks] }, manual);
    manager.conversation('one').send('go', { resend: false });
    await expect.poll(() => manager.find('one').prompts.open.length).toBe(1);
    await manager.close();
    const next = await emulatedManager({ scenarios: [echo] }, { store });
    const told = deferred<string>();
    next.manager.on('not-repeated', ({ promptId }) => told.resolve(promptId));
    const [kept] = next.manager.find('one').prompts.open;
    kept?.refuse('no');
    expect(await told.promise).toBe(kept?.id);
  });
});

describe('CLIs started in advance', () => {
  test('are used by new conversations, replaced, and make room', async () => {
    const { manager, clis } = await emulatedManager({ scenarios: [echo] }, { warm: 1, maxRunning: 2 });
    await expect.poll(clis).toBe(1);
    expect(await manager.conversation('one').send('x').text()).toBe('echo: x');
    await expect.poll(clis).toBe(2);
    expect(await manager.conversation('two').send('y').text()).toBe('echo: y');
    expect(await manager.conversation('three', { model: 'other' }).send('z').text()).toBe('echo: z');
    expect(manager.counters.running).toBeLessThanOrEqual(2);
  });
});

test('end after a while if nobody uses them, and the next use starts others', async () => {
  const clock = new ManualClock();
  const sets = [{ count: 1, options: { model: 'other' } }];
  const { manager, clis } = await emulatedManager(
    { scenarios: [echo] },
    { warm: sets, warmMs: 1_000, maxRunning: 2 },
    { clock },
  );
  await expect.poll(clis).toBe(1);
  clock.advance(1_000);
  expect(await manager.conversation('one', { model: 'other' }).send('x').text()).toBe('echo: x');
  expect(clis()).toBe(2);
  clock.advance(1_000);
  await expect.poll(clis).toBe(3);
  expect(await manager.conversation('two', { model: 'other' }).send('y').text()).toBe('echo: y');
  expect(clis()).toBe(3);
});

test('a deleted conversation can be created again, even by a listener', async () => {
  const { manager } = await emulatedManager({ scenarios: [echo] });
  await manager.conversation('one').send('x').outcome;
  const again = deferred<Conversation>();
  manager.on('state', ({ state }) => {
    if (state === 'deleted') again.resolve(manager.conversation('one'));
  });
  await Promise.all([manager.delete('one'), manager.delete('one')]);
  const talk = await again.promise;
  expect(await talk.send('y').text()).toBe('echo: y');
  expect(manager.find('one')).toBe(talk);
});

describe('invalid use', () => {
  test.each([
    [{ store: '' }, 'store'],
    [{ store: 'x', maxRunning: 0 }, 'maxRunning'],
    [{ store: 'x', budgets: { week: 1 } }, 'budgets'],
    [{ store: 'x', maxRuning: 1 }, 'maxRuning'],
  ])('%j is refused by name', async (options, option) => {
    await expect(openManager(options as never)).rejects.toMatchObject({ code: 'OPTION_INVALID', option });
  });

  test('of a conversation has a code', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    expect(() => manager.find('nobody')).toThrow(expect.objectContaining({ code: 'CONVERSATION_UNKNOWN' }));
    expect(() => manager.conversation('')).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
    manager.conversation('one', { cwd: '/tmp' });
    expect(() => manager.conversation('one', { cwd: '/' })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
    const talk = manager.conversation('one', { model: 'a' });
    await talk.send('x').outcome;
    expect(() => manager.conversation('one', { model: 'b' })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining('model') }),
    );
    await talk.park();
    expect(manager.conversation('one', { model: 'b' })).toBe(talk);
    await manager.drain();
    expect(() => manager.conversation('one')).toThrow(expect.objectContaining({ code: 'MANAGER_CLOSED' }));
  });
});
