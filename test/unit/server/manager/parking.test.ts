import { describe, expect, test } from 'vitest';
import { onUser, unasked } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { endTask, startTask } from '../../../../src/lab/testing/emulator/steps/task-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Conversation } from '../../../../src/server/manager/conversations/conversation.js';
import type { Manager } from '../../../../src/server/manager/manager.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager, manual } from '../../../support/manager.js';
import { ManualClock } from '../../../support/manual-clock.js';

/** The first message changes nothing; the second starts a task that the third ends. */
const hasTask = [
  onUser('plain', [done()]),
  onUser('start', [startTask('t'), done()]),
  onUser('end', [endTask('t'), done()], { times: 'any' }),
];

/** A conversation that was idle once, and now has a task in the background. */
async function withTask(manager: Manager): Promise<Conversation> {
  const talk = manager.conversation('one');
  await talk.send('plain').outcome;
  await expect.poll(() => talk.idleMs).toBeDefined();
  await talk.send('start').outcome;
  return talk;
}

describe('a conversation with background work', () => {
  test('is not idle, and makes no room for another one', async () => {
    const { manager, clis } = await emulatedManager({ scenarios: [hasTask, echo] }, { maxRunning: 1 });
    const talk = await withTask(manager);
    expect(talk.idleMs).toBeUndefined();
    const other = manager.conversation('two');
    const waiting = other.send('x');
    await expect.poll(() => other.state).toBe('queued');
    expect([talk.state, clis()]).toEqual(['running', 1]);
    await talk.send('end').outcome;
    expect(await waiting.text()).toBe('echo: x');
  });

  test('is parked by park() when the work is done', async () => {
    const { manager } = await emulatedManager({ scenarios: [hasTask] });
    const talk = await withTask(manager);
    let isParked = false;
    const parked = talk.park().then(() => {
      isParked = true;
    });
    await talk.send('end').outcome;
    expect(isParked).toBe(false);
    await parked;
    expect(talk.state).toBe('parked');
  });

  test('stays if park() may not wait that long', async () => {
    const clock = new ManualClock();
    const { manager } = await emulatedManager({ scenarios: [hasTask] }, {}, { clock });
    const talk = await withTask(manager);
    const parked = talk.park({ deadlineMs: 1_000 });
    clock.advance(1_000);
    await expect(parked).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    await expect(talk.park({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'REQUEST_ABORTED',
    });
    expect(talk.state).toBe('running');
  });

  test('keeps its workspace', async () => {
    const { manager } = await emulatedManager({ scenarios: [hasTask] });
    const talk = await withTask(manager);
    await expect(talk.endWorkspace('keep')).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
    expect(talk.state).toBe('running');
  });
});

test('the one that has been idle longest makes room', async () => {
  const clock = new ManualClock();
  const { manager } = await emulatedManager({ scenarios: [echo] }, { maxRunning: 3 }, { clock });
  const names = ['first', 'second', 'third'];
  for (const name of names) {
    const talk = manager.conversation(name);
    await talk.send('x').outcome;
    await expect.poll(() => talk.idleMs).toBeDefined();
    clock.advance(100);
  }
  // It was idle before the others, but not since.
  const first = manager.conversation('first');
  await first.send('y').outcome;
  await expect.poll(() => first.idleMs).toBe(0);
  clock.advance(100);
  await manager.conversation('fourth').send('x').outcome;
  expect(names.map((name) => manager.find(name).state)).toEqual(['running', 'parked', 'running']);
});

test('no more make room than are waiting', async () => {
  const { manager } = await emulatedManager({ scenarios: [echo] }, { maxRunning: 6 });
  const idle = [1, 2, 3, 4, 5, 6].map((n) => manager.conversation(`idle ${n}`));
  await Promise.all(idle.map((talk) => talk.send('x').outcome));
  await expect.poll(() => idle.filter((talk) => talk.idleMs === undefined)).toEqual([]);
  const waiting = [1, 2, 3].map((n) => manager.conversation(`waiting ${n}`));
  await Promise.all(waiting.map((talk) => talk.send('x').outcome));
  expect(idle.filter((talk) => talk.idleMs !== undefined)).toHaveLength(3);
});

describe('a conversation that waits for a usage limit', () => {
  const text = `limit reached|${Math.round(Date.now() / 1000) + 3_600}`;
  const gate = deferred<void>();
  const limited = [
    onUser(undefined, [act(() => gate.promise), apiFailure({ error: 'rate_limit', status: 429, text })]),
  ];

  test('is parked again when its CLI was started for something else', async () => {
    const clock = new ManualClock();
    const { manager } = await emulatedManager({ scenarios: [limited] }, { idleMs: 1_000 }, { clock });
    const talk = manager.conversation('one');
    const parked = talk.send('x').began.then(() => talk.park());
    gate.resolve();
    await parked;
    await expect.poll(() => talk.state).toBe('limited');
    await talk.wake();
    await expect.poll(() => talk.idleMs).toBeDefined();
    clock.advance(1_000);
    await expect.poll(() => talk.state).toBe('limited');
    expect(talk.facts.messages).toBe(1);
  });
});

describe('a turn that the CLI started', () => {
  const gate = () => {
    const [reached, go] = [deferred<void>(), deferred<void>()];
    const wait = [act(() => reached.resolve()), act(() => go.promise)];
    return { reached: reached.promise, go: () => go.resolve(), wait };
  };

  test('ends before drain() does, and the conversation can be found meanwhile', async () => {
    const { reached, go, wait } = gate();
    const scenario = [onUser('x', [done()]), unasked([...wait, say('whole'), done()])];
    const { manager } = await emulatedManager({ scenarios: [scenario] });
    const ends: string[] = [];
    manager.on('unasked', ({ turn }) => void turn.outcome.then(({ kind }) => ends.push(kind)));
    await manager.conversation('one').send('x').outcome;
    await reached;
    const drained = manager.drain();
    expect(manager.find('one').state).toBe('running');
    go();
    await drained;
    expect(ends).toEqual(['success']);
    expect(() => manager.find('one')).toThrow(expect.objectContaining({ code: 'MANAGER_CLOSED' }));
  });

  test('ends before park() does', async () => {
    const { reached, go, wait } = gate();
    const scenario = [onUser('x', [done()]), unasked([...wait, say('whole'), done()])];
    const { manager } = await emulatedManager({ scenarios: [scenario] });
    const talk = manager.conversation('one');
    const ends: string[] = [];
    talk.on('unasked', ({ turn }) => void turn.outcome.then(({ kind }) => ends.push(kind)));
    await talk.send('x').outcome;
    await reached;
    const parked = talk.park();
    await expect(talk.endWorkspace('keep')).rejects.toMatchObject({ code: 'WORKSPACE_FAILED' });
    go();
    await parked;
    expect([ends, talk.state]).toEqual([['success'], 'parked']);
  });
});

describe('drain()', () => {
  const asks = [onUser(undefined, [useTool('Bash', { command: 'x' }, { ask: true }), say('made'), done()])];

  test('waits for a prompt that can still be answered', async () => {
    const { manager } = await emulatedManager({ scenarios: [asks] }, manual);
    const turn = manager.conversation('one').send('x');
    await expect.poll(() => manager.find('one').prompts.open.length).toBe(1);
    const drained = manager.drain();
    const talk = manager.find('one');
    for (const prompt of talk.prompts.open) if (prompt.kind === 'permission') prompt.allow();
    expect(await turn.text()).toBe('made');
    await drained;
  });

  test('starts nothing for a conversation that was found meanwhile', async () => {
    const { manager, store } = await emulatedManager({ scenarios: [echo] });
    manager.conversation('parked');
    await manager.close();
    const { manager: next, clis } = await emulatedManager({ scenarios: [asks] }, { ...manual, store });
    next.conversation('one').send('x');
    await expect.poll(() => next.find('one').prompts.open.length).toBe(1);
    const drained = next.drain({ deadlineMs: 100 });
    const talk = next.find('parked');
    const closed = { code: 'MANAGER_CLOSED' };
    expect(() => talk.send('y')).toThrow(expect.objectContaining(closed));
    await expect(talk.wake()).rejects.toMatchObject(closed);
    await drained;
    expect(clis()).toBe(1);
  });

  test.each(['deadlineMs', 'signal'])('ends everything when its %s says so', async (option) => {
    const clock = new ManualClock();
    const { manager } = await emulatedManager({ scenarios: [asks] }, manual, { clock });
    const talk = manager.conversation('one');
    talk.send('x');
    await expect.poll(() => talk.prompts.open.length).toBe(1);
    const leave = new AbortController();
    const drained = manager.drain(option === 'signal' ? { signal: leave.signal } : { deadlineMs: 1_000 });
    if (option === 'signal') leave.abort();
    else clock.advance(1_000);
    await drained;
    expect(talk.state).toBe('parked');
  });
});
