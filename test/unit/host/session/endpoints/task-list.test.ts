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
    expect(book.foreground).toEqual([]);
    expect(book.find('t1')).toMatchObject({ backgrounded: true });
    note({ type: 'system', subtype: 'task_notification', task_id: 't1' });
    expect(book.find('t1')).toBeUndefined();
  });

  test('forgets a killed task, and everything with a new CLI', () => {
    const { book, note } = makeList();
    note(started('t1'));
    note(started('t2'));
    note({ type: 'system', subtype: 'task_updated', task_id: 't1', patch: { status: 'killed' } });
    expect(book.foreground.map(({ taskId }) => taskId)).toEqual(['t2']);
    book.reset();
    expect(book.foreground).toEqual([]);
  });

  test('remembers a bounded number of tasks', () => {
    const { book, note } = makeList();
    for (let n = 0; n < 1_100; n += 1) note(started(`t${n}`));
    expect(book.foreground).toHaveLength(1_000);
    expect(book.find('t0')).toBeUndefined();
    expect(book.find('t1099')).toBeDefined();
  });

  test('waits until a task is reported, but not forever', async () => {
    const { book, note } = makeList();
    const clock = new ManualClock();
    const found = book.wait('call-t1', { ms: 100, clock });
    note(started('other'));
    note(started('t1'));
    expect(await found).toMatchObject({ taskId: 't1' });
    const missed = book.wait('nobody', { ms: 100, clock });
    clock.advance(100);
    expect(await missed).toBeUndefined();
    expect(clock.size).toBe(0);
  });

  test('stops waiting when the caller gives up, or when the CLI ends', async () => {
    const { book } = makeList();
    const clock = new ManualClock();
    const controller = new AbortController();
    const { signal } = controller;
    const given = book.wait('nobody', { ms: 100, clock, signal });
    controller.abort();
    expect(await given).toBeUndefined();
    expect(await book.wait('nobody', { ms: 100, clock, signal })).toBeUndefined();
    const left = book.wait('nobody', { ms: 100, clock });
    book.reset();
    expect(await left).toBeUndefined();
    expect(clock.size).toBe(0);
  });
});

describe('background on 2.1.325', () => {
  test('waits for the task, sends its tool call, and moves everything known if nothing is named', async () => {
    const { session, cli, asked } = await sessionOn(
      { version: '2.1.325' },
      { background_tasks: ({ tool_use_id: id }) => ({ backgrounded: id === 'call-t1' }) },
    );
    const moved = session.background('t1');
    await cli.send(started('t1'));
    expect(await moved).toEqual({ backgrounded: true });
    await cli.send(started('t2'));
    await cli.send(started('t3'));
    expect(await session.background('t3')).toEqual({ backgrounded: false });
    expect(await session.background()).toEqual({ backgrounded: true });
    expect(asked.map(({ tool_use_id: id }) => id)).toEqual([
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
      { version: '2.1.325' },
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
    expect(asked).toEqual([]);
  });

  test('waits no longer than the deadline, and then asks anyway', async () => {
    const { session, asked, clock } = await sessionOn(
      { version: '2.1.325' },
      { background_tasks: () => ({ backgrounded: false }) },
    );
    const timers = clock.size;
    const moved = session.background('nobody', { deadlineMs: 50 });
    await vi.waitFor(() => expect(clock.size).toBe(timers + 1));
    clock.advance(50);
    expect(await moved).toEqual({ backgrounded: false });
    expect(asked).toMatchObject([{ tool_use_id: 'nobody' }]);
    await session.close();
  });

  test('reports that nothing was moved if nothing is known', async () => {
    const { session, asked } = await sessionOn({ version: '2.1.325' }, {});
    expect(await session.background()).toEqual({ backgrounded: false });
    expect(asked).toEqual([]);
    await session.close();
  });
});
