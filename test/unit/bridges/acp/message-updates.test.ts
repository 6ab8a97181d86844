import { describe, expect, test } from 'vitest';
import { abilitiesOf } from '../../../../src/bridges/acp/client-abilities.js';
import { MessageUpdates } from '../../../../src/bridges/acp/message-updates.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

const said = (...content: WireObject[]): WireObject => ({
  type: 'assistant',
  message: { id: 'm1', content },
});
const call = (id: string, name: string, input: WireObject) => said({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: WireObject = {}): WireObject => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
});

function updatesOf(messages: readonly WireObject[], capabilities = {}) {
  const updates = new MessageUpdates({ cwd: '/work', abilities: abilitiesOf(capabilities) });
  return messages.flatMap((message) => updates.of(message));
}

describe('messages of a CLI become updates', () => {
  test('a to-do list written entry by entry is a plan', () => {
    const messages = [
      call('1', 'TaskCreate', { subject: 'Look' }),
      result('1', 'Task #1 created successfully: Look'),
      call('2', 'TaskCreate', { subject: 'Leap' }),
      result('2', 'Task #2 created successfully: Leap'),
      call('3', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      result('3', 'Updated task #1 status'),
      call('4', 'TaskUpdate', { taskId: '2', status: 'deleted' }),
      result('4', 'Updated task #2 deleted'),
    ];
    const plans = updatesOf(messages).map((update) => ('entries' in update ? update.entries : update));
    expect(plans.map((entries) => JSON.stringify(entries).match(/Look|Leap|completed|pending/g))).toEqual([
      ['Look', 'pending'],
      ['Look', 'pending', 'Leap', 'pending'],
      ['Look', 'completed', 'Leap', 'pending'],
      ['Look', 'completed'],
    ]);
  });

  test('the to-do list of a subagent does not replace the plan', () => {
    const todos = (content: string) => ({ todos: [{ content, status: 'pending' }] });
    const theirs = { ...call('2', 'TodoWrite', todos('Theirs')), parent_tool_use_id: 't' };
    const messages = [call('1', 'TodoWrite', todos('Mine')), theirs, result('1', 'ok'), result('2', 'ok')];
    expect(updatesOf(messages)).toMatchObject([{ sessionUpdate: 'plan', entries: [{ content: 'Mine' }] }]);
  });

  test('edits are diffs, with their path', () => {
    const [update] = updatesOf([
      call('1', 'Edit', { file_path: '/work/src/a.ts', old_string: 'one', new_string: 'two' }),
    ]);
    expect(update).toMatchObject({
      title: 'Edit src/a.ts',
      kind: 'edit',
      locations: [{ path: '/work/src/a.ts' }],
      content: [{ type: 'diff', path: '/work/src/a.ts', oldText: 'one', newText: 'two' }],
    });
  });

  test('output is fenced so that its contents cannot end the fence', () => {
    const [, update] = updatesOf([
      call('1', 'Bash', { command: 'x' }),
      result('1', 'a ``` b', { is_error: true }),
    ]);
    expect(update).toMatchObject({
      status: 'failed',
      content: [{ content: { text: '````\na ``` b\n````' } }],
    });
  });

  test('for a subagent, calls are shown and text is not', () => {
    const words = { ...said({ type: 'text', text: 'I think' }), parent_tool_use_id: 't' };
    const tool = { ...call('1', 'Read', { file_path: 'a' }), parent_tool_use_id: 't' };
    expect(updatesOf([words, tool])).toMatchObject([{ sessionUpdate: 'tool_call', name: 'Read' }]);
  });

  test('output of a slash command is shown, even if only the result has it', () => {
    const printed = { type: 'user', message: { content: '<local-command-stdout>42</local-command-stdout>' } };
    const ended = { type: 'result', subtype: 'success', result: 'Done.' };
    expect(updatesOf([printed, ended])).toMatchObject([{ content: { text: '42' } }]);
    expect(updatesOf([ended])).toMatchObject([{ content: { text: 'Done.' } }]);
    expect(updatesOf([said({ type: 'text', text: 'Hi' }), { ...ended, result: 'Hi' }])).toHaveLength(1);
  });

  test('notices and compactions go only to clients that show them', () => {
    const messages = [
      { type: 'system', subtype: 'api_retry' },
      { type: 'system', subtype: 'status', status: 'compacting' },
      { type: 'system', subtype: 'compact_boundary' },
    ];
    expect(updatesOf(messages)).toEqual([]);
    const told = updatesOf(messages, { session: { notices: {}, compaction: {} } });
    expect(told).toMatchObject([
      { sessionUpdate: 'notice', severity: 'warning' },
      { sessionUpdate: 'compaction_update', status: 'in_progress' },
      { sessionUpdate: 'compaction_update', status: 'completed' },
    ]);
    expect(new Set(told.map((update) => ('compactionId' in update ? update.compactionId : ''))).size).toBe(2);
  });
});
