import { describe, expect, test } from 'vitest';
import { TaskBook } from '../../../../src/session/endpoints/task-book.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { sessionOn } from './patched-peer.js';

const started = (id: string, call = `call-${id}`) => ({
  type: 'system',
  subtype: 'task_started',
  task_id: id,
  tool_use_id: call,
  is_backgrounded: false,
});

describe('TaskBook', () => {
  test('finds a task by its own id and by its tool use, until it is over', () => {
    const book = new TaskBook();
    book.note(started('t1'));
    expect(book.find('t1')).toEqual(book.find('call-t1'));
    book.note({ type: 'system', subtype: 'task_updated', task_id: 't1', patch: { is_backgrounded: true } });
    expect(book.foreground).toEqual([]);
    expect(book.find('t1')).toMatchObject({ backgrounded: true });
    book.note({ type: 'system', subtype: 'task_notification', task_id: 't1' });
    expect(book.find('t1')).toBeUndefined();
  });

  test('forgets a task that was killed, and everything with a new CLI', () => {
    const book = new TaskBook();
    book.note(started('t1'));
    book.note(started('t2'));
    book.note({ type: 'system', subtype: 'task_updated', task_id: 't1', patch: { status: 'killed' } });
    expect(book.foreground.map(({ taskId }) => taskId)).toEqual(['t2']);
    book.reset();
    expect(book.foreground).toEqual([]);
  });

  test('remembers a bounded number of tasks', () => {
    const book = new TaskBook();
    for (let n = 0; n < 1_100; n += 1) book.note(started(`t${n}`));
    expect(book.foreground).toHaveLength(1_000);
    expect(book.find('t0')).toBeUndefined();
    expect(book.find('t1099')).toBeDefined();
  });

  test('waits for a task to be told of, but not for ever', async () => {
    const book = new TaskBook();
    const clock = new ManualClock();
    const found = book.wait('call-t1', 100, clock);
    book.note(started('other'));
    book.note(started('t1'));
    expect(await found).toMatchObject({ taskId: 't1' });
    const missed = book.wait('nobody', 100, clock);
    clock.advance(100);
    expect(await missed).toBeUndefined();
    expect(clock.size).toBe(0);
  });
});

describe('background on 2.1.325', () => {
  test('waits for the task, sends its tool use, and moves all that is known when nothing is named', async () => {
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

  test('says that nothing was moved when nothing is known', async () => {
    const { session, asked } = await sessionOn({ version: '2.1.325' }, {});
    expect(await session.background()).toEqual({ backgrounded: false });
    expect(asked).toEqual([]);
    await session.close();
  });
});
