import { expect, test } from 'vitest';
import { LoggedPrompts } from '../../../../src/server/console/sessions/logged-prompts.js';

const call = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't' };
const asked = (id: string, request: object = call) => ({
  kind: 'line',
  t: 1,
  from: 'cli',
  frame: { type: 'control_request', request_id: id, request },
});
const opened = (id: string) => ({ kind: 'prompt', prompt: { id } });
const answered = (id: string) => ({
  kind: 'line',
  t: 2,
  from: 'host',
  frame: { type: 'control_response', response: { subtype: 'success', request_id: id } },
});

/** The prompts that are open in a log of these events. */
function openIn(events: readonly object[]) {
  const prompts = new LoggedPrompts();
  for (const [index, event] of events.entries())
    prompts.note({ n: index + 1, at: 0, rest: JSON.stringify(event).slice(1) });
  return prompts.open;
}

test('a log has the calls that CLIs asked about and nobody has answered', () => {
  const events = [asked('a'), opened('a'), asked('b'), opened('b')];
  expect(openIn(events)).toEqual([
    { id: 'a', body: call },
    { id: 'b', body: call },
  ]);
  expect(openIn([...events, answered('a')]).map(({ id }) => id)).toEqual(['b']);
  expect(openIn([...events, { kind: 'prompt-settled', prompt: 'b', how: 'withdrawn' }])).toHaveLength(1);
});

test('a call that nobody was asked about, and a form, are not kept', () => {
  expect(openIn([asked('a')])).toEqual([]);
  expect(openIn([asked('a', { subtype: 'elicitation', message: 'can_use_tool' }), opened('a')])).toEqual([]);
});

test('a prompt stays open when its CLI ends', () => {
  expect(openIn([asked('a'), opened('a'), { kind: 'end', t: 1, end: {} }])).toHaveLength(1);
});
