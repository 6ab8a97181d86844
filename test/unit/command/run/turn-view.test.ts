import { describe, expect, test } from 'vitest';
import { TurnView, toolCallsIn } from '../../../../src/command/run/turn-view.js';
import { assistantText, assistantToolUse } from '../../../../src/lab/testing/builders/assistant.js';
import { resultSuccess } from '../../../../src/lab/testing/builders/result.js';
import { streamEvent } from '../../../../src/lab/testing/builders/stream.js';
import { systemMessage } from '../../../../src/lab/testing/builders/system.js';
import { toolResult } from '../../../../src/lab/testing/builders/user.js';
import type { ApiMessage } from '../../../../src/wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

function viewOf(...messages: readonly WireObject[]): TurnView {
  const view = new TurnView();
  for (const message of messages) view.note(message);
  return view;
}

const use = (id: string, command: string) => assistantToolUse('Bash', { command }, { toolUseId: id });

describe('the current tool', () => {
  test('is the newest one without a result', () => {
    expect(viewOf(use('t1', 'ls'), use('t2', 'pwd')).tool).toBe('Bash: pwd');
    expect(viewOf(use('t1', 'ls'), use('t2', 'pwd'), toolResult('t2', 'here')).tool).toBe('Bash: ls');
  });

  test('is none after the result of the turn', () => {
    expect(viewOf(use('t1', 'ls'), resultSuccess('done')).tool).toBeUndefined();
  });
});

describe('the activity', () => {
  const retry = systemMessage('api_retry', { error: 'overloaded', attempt: 1 });
  const agent = systemMessage('task_started', {
    task_id: 'a',
    task_type: 'local_agent',
    description: 'Search',
  });
  const shell = systemMessage('task_started', {
    task_id: 's',
    task_type: 'local_bash',
    description: 'npm start',
  });

  test.each([
    ['nothing else', [], 'the model'],
    ['a tool', [use('t1', 'ls')], 'Bash: ls'],
    ['a retry', [use('t1', 'ls'), retry], 'the API (overloaded), trying again'],
    ['what came after a retry', [retry, assistantText('on')], 'the model'],
    [
      'compaction',
      [systemMessage('status', { status: 'compacting' })],
      'the CLI to compact the conversation',
    ],
    [
      'compaction that is over',
      [systemMessage('status', { status: 'compacting' }), systemMessage('status', { status: null })],
      'the model',
    ],
    ['an agent in the background', [agent], 'background work: Search'],
    ['a shell in the background', [shell], 'the model'],
  ])('with %s is described', (_, messages, words) => {
    expect(viewOf(...messages).busyWith).toBe(words);
  });

  test('when only shells are left, no more of the answer will come', () => {
    expect(viewOf(shell).onlyShellsLeft).toBe(true);
    expect(viewOf(shell, agent).onlyShellsLeft).toBe(false);
    expect(viewOf(agent, shell, systemMessage('task_notification', { task_id: 'a' })).onlyShellsLeft).toBe(
      true,
    );
    expect(viewOf().onlyShellsLeft).toBe(false);
    const list = [{ task_id: 's', task_type: 'local_bash', description: 'npm start' }];
    expect(viewOf(agent, systemMessage('background_tasks_changed', { tasks: list })).onlyShellsLeft).toBe(
      true,
    );
  });
});

describe('the tokens', () => {
  const start = (id: string, input: number) =>
    streamEvent({
      type: 'message_start',
      message: { id, usage: { input_tokens: input, output_tokens: 1 } } as ApiMessage,
    });
  const delta = (output: number) =>
    streamEvent({ type: 'message_delta', delta: {}, usage: { input_tokens: 10, output_tokens: output } });

  test('of one call are counted once, however often they are reported', () => {
    expect(viewOf(start('m1', 10), delta(5), delta(20)).tokens).toBe(30);
  });

  test('of several calls are added up, until the result has the total', () => {
    const calls = [start('m1', 10), delta(20), start('m2', 10), delta(5)];
    expect(viewOf(...calls).tokens).toBe(45);
    expect(viewOf(...calls, resultSuccess('done')).tokens).toBe(0);
  });
});

test('tool calls are shown, but questions are not: they are asked', () => {
  const callsIn = (message: WireObject) => toolCallsIn(new TurnView().note(message));
  expect(callsIn(use('t1', 'ls'))).toEqual(['Bash: ls']);
  expect(callsIn(assistantToolUse('AskUserQuestion', { questions: [] }))).toEqual([]);
  expect(callsIn({ type: 'user' })).toEqual([]);
});

test('messages of any shape do no harm', () => {
  const odd = [
    { type: 'assistant' },
    { type: 'stream_event', event: 3 },
    { type: 'system', subtype: 'background_tasks_changed' },
  ];
  expect(viewOf(...odd).busyWith).toBe('the model');
});
