import { describe, expect, test, vi } from 'vitest';
import { MessageDispatcher } from '../../../../../src/host/core/messages/message-dispatcher.js';
import { TaskList } from '../../../../../src/host/session/endpoints/task-list.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { sessionOn } from './patched-peer.js';

const started = (id: string, call = `call-${id}`) => ({
  type: 'system',
  subtype: 'task_started',
  task_id: id,
  tool_use_id: call,
  is_backgrounded: false,
});

function makeList() {
  const messages = new MessageDispatcher({ receive: () => {} });
  const book = new TaskList(messages);
  return { book, note: (message: WireObject) => messages.dispatch(message, 1) };
}

describe('TaskList', () => {
  test('finds a task by its own id and by its tool call, until it ends', () => {
    const { book, note } = makeList();
    note(started('t1'));
    expect(book.find('t1')).toEqual(book.find('call-t1'));
    note({ type: 'system', subtype: 'task_updated', task_id: 't1', patch: { is_backgrounded: true } });
    expect(book.foregroundCalls).toEqual([]);
    expect(book.find('t1')).toMatchObject({ backgrounded: true });
    note({ type: 'system', subtype: 'task_notification', task_id: 't1' });
    expect(book.find('t1')).toBeUndefined();
  });

  test('forgets a killed task, and everything with a new CLI', () => {
    const { book, note } = makeList();
    note(started('t1'));
    note(started('t2'));
    note({ type: 'system', subtype: 'task_updated', task_id: 't1', patch: { status: 'killed' } });
    expect(book.foregroundCalls).toEqual(['call-t2']);
    book.reset();
    expect(book.foregroundCalls).toEqual([]);
  });

  test('remembers a bounded number of tasks', () => {
    const { book, note } = makeList();
    for (let n = 0; n < 1_100; n += 1) note(started(`t${n}`));
    expect(book.foregroundCalls).toHaveLength(1_000);
    expect(book.find('t0')).toBeUndefined();
    expect(book.find('t1099')).toBeDefined();
  });

  test('knows the calls of the conversation that have no result, but not those of subagents', () => {
    const { book, note } = makeList();
    const calls = (...ids: string[]) => ({ content: ids.map((id) => ({ type: 'tool_use', id })) });
    note({ type: 'assistant', parent_tool_use_id: null, message: calls('a', 'b') });
    note({ type: 'assistant', parent_tool_use_id: 'a', message: calls('of a subagent') });
    note(started('t1', 'a'));
    expect(book.foregroundCalls).toEqual(['a', 'b']);
    note({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'b' }] } });
    note({ type: 'user', message: { content: 'words' } });
    note({ type: 'system', subtype: 'task_notification', task_id: 't1' });
    expect(book.foregroundCalls).toEqual(['a']);
    note({ type: 'result' });
    expect(book.foregroundCalls).toEqual([]);
  });

  test('waits for the next task, but not forever', async () => {
    const { book, note } = makeList();
    const clock = new ManualClock();
    const reported = book.next({ ms: 100, clock });
    note(started('t1'));
    await reported;
    const missed = book.next({ ms: 100, clock });
    clock.advance(100);
    await missed;
    expect(clock.size).toBe(0);
  });

  test('stops waiting when the caller gives up, or when the CLI ends', async () => {
    const { book } = makeList();
    const clock = new ManualClock();
    const controller = new AbortController();
    const { signal } = controller;
    const given = book.next({ ms: 100, clock, signal });
    controller.abort();
    await given;
    await book.next({ ms: 100, clock, signal });
    const left = book.next({ ms: 100, clock });
    book.reset();
    await left;
    expect(clock.size).toBe(0);
  });
});

describe('background on 2.1.326', () => {
  test('waits for the task, sends its tool call, and moves everything known if nothing is named', async () => {
    const { session, cli, asked } = await sessionOn(
      { version: '2.1.326' },
      { background_tasks: ({ tool_use_id: id }) => ({ backgrounded: id === 'call-t1' }) },
    );
    const moved = session.background('t1');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await cli.send(started('t1'));
    expect(await moved).toEqual({ backgrounded: true });
    await cli.send(started('t2'));
    await cli.send(started('t3'));
    expect(await session.background('t3')).toEqual({ backgrounded: false });
    expect(await session.background()).toEqual({ backgrounded: true });
    expect(asked.map(({ tool_use_id: id }) => id)).toEqual([
      't1',
      'call-t1',
      'call-t3',
      'call-t1',
      'call-t2',
      'call-t3',
    ]);
    await session.close();
  });

  test('stops waiting when the caller gives up, or when the session ends', async () => {
    const { session, asked, clock } = await sessionOn(
      { version: '2.1.326' },
      { background_tasks: () => ({}) },
    );
    const timers = clock.size;
    const controller = new AbortController();
    const given = session.background('nobody', { signal: controller.signal });
    controller.abort();
    await expect(given).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
    const left = session.background('nobody');
    const refused = expect(left).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    await vi.waitFor(() => expect(clock.size).toBe(timers + 1));
    await session.close();
    await refused;
    expect(asked).toHaveLength(1);
  });

  test('asks until the deadline, also for what is not reported', async () => {
    const { session, asked, clock } = await sessionOn(
      { version: '2.1.326' },
      { background_tasks: () => ({ backgrounded: false }) },
    );
    const timers = clock.size;
    const moved = session.background('nobody', { deadlineMs: 50 });
    await vi.waitFor(() => expect(clock.size).toBe(timers + 2));
    clock.advance(50);
    expect(await moved).toEqual({ backgrounded: false });
    expect(asked).toMatchObject([{ tool_use_id: 'nobody' }, { tool_use_id: 'nobody' }]);
    await session.close();
  });

  test('without a target, moves a call that is not reported, as soon as the CLI can', async () => {
    let isMovable = false;
    const { session, cli, clock } = await sessionOn(
      { version: '2.1.168' },
      { background_tasks: ({ tool_use_id: id }) => ({ backgrounded: isMovable && id === 'call' }) },
    );
    const timers = clock.size;
    const content = [{ type: 'tool_use', id: 'call', name: 'Bash', input: {} }];
    await cli.send({ type: 'assistant', parent_tool_use_id: null, message: { content } });
    const moved = session.background();
    await vi.waitFor(() => expect(clock.size).toBe(timers + 1));
    isMovable = true;
    clock.advance(250);
    expect(await moved).toEqual({ backgrounded: true });
    await session.close();
  });

  test('without a target, waits for work as long as you say', async () => {
    const { session, cli, clock } = await sessionOn(
      { version: '2.1.326' },
      { background_tasks: () => ({ backgrounded: true }) },
    );
    const timers = clock.size;
    const moved = session.background(undefined, { waitMs: 60_000 });
    await vi.waitFor(() => expect(clock.size).toBe(timers + 1));
    await cli.send(started('t1'));
    expect(await moved).toEqual({ backgrounded: true });
    await session.close();
  });

  test('reports that nothing was moved if nothing is known', async () => {
    const { session, asked } = await sessionOn({ version: '2.1.326' }, {});
    expect(await session.background()).toEqual({ backgrounded: false });
    expect(asked).toEqual([]);
    await session.close();
  });
});
