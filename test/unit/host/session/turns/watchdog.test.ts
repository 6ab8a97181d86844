import { describe, expect, test, vi } from 'vitest';
import { MessageDispatcher } from '../../../../../src/host/core/messages/message-dispatcher.js';
import { Activity } from '../../../../../src/host/session/turns/activity.js';
import { Watchdog } from '../../../../../src/host/session/turns/watchdog.js';
import { ManualClock } from '../../../../support/manual-clock.js';

function makeActivity() {
  const messages = new MessageDispatcher({
    receive: (_message, _length, kind) => activity.noteMessage(kind),
  });
  const ended = vi.fn();
  const activity: Activity = new Activity(messages, ended);
  return { activity, messages, ended };
}

function makeWatchdog(stallMs = 100) {
  const clock = new ManualClock();
  const { activity, messages } = makeActivity();
  const stalls: number[] = [];
  const watchdog = new Watchdog({
    clock,
    stallMs,
    shouldHear: () => activity.excuse === undefined,
    onStall: (quietMs) => stalls.push(quietMs),
  });
  const say = (message: Record<string, unknown>) => {
    messages.dispatch(message, 1);
    watchdog.noteActivity();
  };
  return { clock, activity, watchdog, stalls, say };
}

const blocks = (type: string, ...content: object[]) => ({ type, message: { content } });

describe('Watchdog', () => {
  test('notices silence, measured from the last message', () => {
    const { clock, stalls, say } = makeWatchdog();
    say({ type: 'system' });
    clock.advance(60);
    say({ type: 'stream_event' });
    clock.advance(99);
    expect(stalls).toEqual([]);
    clock.advance(1);
    expect(stalls).toEqual([100]);
  });

  test('checks again after a stall, until something arrives or nothing is awaited', () => {
    const { clock, watchdog, stalls, say } = makeWatchdog();
    say({ type: 'system' });
    clock.advance(250);
    expect(stalls).toEqual([100, 100]);
    watchdog.stop();
    expect(clock.size).toBe(0);
  });

  test('sets no timer without a limit', () => {
    const { clock, say } = makeWatchdog(Number.POSITIVE_INFINITY);
    say({ type: 'system' });
    expect(clock.size).toBe(0);
  });

  test('leaves no timer when stopped', () => {
    const { clock, watchdog, say } = makeWatchdog();
    say({ type: 'system' });
    watchdog.stop();
    expect(clock.size).toBe(0);
  });

  test.each([
    [
      'a tool',
      blocks('assistant', { type: 'tool_use', id: 't1' }),
      blocks('user', { type: 'tool_result', tool_use_id: 't1' }),
    ],
    ['a retry', { type: 'system', subtype: 'api_retry' }, { type: 'stream_event' }],
    [
      'a compaction',
      { type: 'system', subtype: 'status', status: 'compacting' },
      { type: 'system', subtype: 'status', status: null },
    ],
    [
      'background work',
      { type: 'system', subtype: 'task_started', task_id: 'b' },
      { type: 'system', subtype: 'task_notification', task_id: 'b' },
    ],
  ])('never fires while %s is running, and does after it', (_name, begins, ends) => {
    const { clock, stalls, say } = makeWatchdog();
    say(begins);
    clock.advance(1000);
    expect(stalls).toEqual([]);
    say(ends);
    clock.advance(100);
    expect(stalls).toEqual([100]);
  });

  test('never fires while a prompt is open', () => {
    const { clock, activity, stalls, watchdog } = makeWatchdog();
    activity.requestOpened();
    watchdog.noteActivity();
    clock.advance(1000);
    expect(stalls).toEqual([]);
    activity.requestClosed();
    watchdog.noteActivity();
    clock.advance(100);
    expect(stalls).toEqual([100]);
  });
});

describe('Activity', () => {
  const started = { type: 'system', subtype: 'task_started', task_id: 'a', tool_use_id: 't1' };
  const completed = { status: 'completed', end_time: 1 };

  test.each([
    ['a notification', { subtype: 'task_notification', task_id: 'a', tool_use_id: 't1' }],
    ['an update', { subtype: 'task_updated', task_id: 'a', patch: completed }],
    ['a list without it', { subtype: 'background_tasks_changed', tasks: [] }],
  ])('knows from %s that a background task has ended', (_name, end) => {
    const { activity, messages, ended } = makeActivity();
    messages.dispatch(started, 1);
    expect(activity.backgroundTasks).toBe(1);
    messages.dispatch({ type: 'system', ...end }, 1);
    expect(activity.backgroundTasks).toBe(0);
    expect(ended).toHaveBeenCalledOnce();
  });

  test('does not report a task whose call is open: the turn waits for it', () => {
    const { activity, messages, ended } = makeActivity();
    messages.dispatch(blocks('assistant', { type: 'tool_use', id: 't1' }), 1);
    messages.dispatch(started, 1);
    messages.dispatch({ type: 'system', subtype: 'task_updated', task_id: 'a', patch: completed }, 1);
    messages.dispatch({ type: 'system', subtype: 'task_notification', task_id: 'a', tool_use_id: 't1' }, 1);
    expect(activity.backgroundTasks).toBe(0);
    expect(ended).not.toHaveBeenCalled();
  });

  test('keeps a task that an update only moves to the background', () => {
    const { activity, messages, ended } = makeActivity();
    messages.dispatch(started, 1);
    messages.dispatch(
      { type: 'system', subtype: 'task_updated', task_id: 'a', patch: { is_backgrounded: true } },
      1,
    );
    expect(activity.backgroundTasks).toBe(1);
    expect(ended).not.toHaveBeenCalled();
  });

  test('replaces its list of background tasks', () => {
    const { activity, messages } = makeActivity();
    messages.dispatch({ type: 'system', subtype: 'task_started', task_id: 'a' }, 1);
    messages.dispatch(
      {
        type: 'system',
        subtype: 'background_tasks_changed',
        tasks: [{ task_id: 'b' }, { task_id: 'c' }],
      },
      1,
    );
    expect(activity.backgroundTasks).toBe(2);
    messages.dispatch({ type: 'system', subtype: 'background_tasks_changed', tasks: [] }, 1);
    expect(activity.backgroundTasks).toBe(0);
  });

  test('a result ends tools that were left open', () => {
    const { activity, messages } = makeActivity();
    messages.dispatch(blocks('assistant', { type: 'tool_use', id: 't1' }), 1);
    messages.dispatch({ type: 'result' }, 1);
    expect(activity.excuse).toBeUndefined();
  });

  test('accepts messages of any shape', () => {
    const { activity, messages } = makeActivity();
    for (const message of [
      {},
      { type: 'assistant' },
      { type: 'user', message: { content: [null, 3, { type: 'tool_use' }] } },
    ]) {
      messages.dispatch(message, 1);
    }
    expect(activity.excuse).toBeUndefined();
  });
});
