import { expect, test } from 'vitest';
import { type Denial, followDenials } from '../../../../../src/host/session/prompts/denials.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';

function followed() {
  const listeners = new Map<string, (message: WireObject) => void>();
  const denials: Denial[] = [];
  const messages = {
    on: (kind: string, run: (message: WireObject) => void) => {
      listeners.set(kind, run);
      return () => {};
    },
  };
  followDenials(messages as never, (denial) => denials.push(denial));
  return { denials, tell: (kind: string, message: WireObject) => listeners.get(kind)?.(message) };
}

const denied = { tool_name: 'Bash', tool_use_id: 'call', message: 'Not run.' };
const call = {
  message: { content: [{ type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'ls' } }] },
};

test('a denial has its call, who denied it, and why', () => {
  const { denials, tell } = followed();
  tell('assistant', call);
  tell('system/permission_denied', {
    ...denied,
    agent_id: 'sub',
    decision_reason_type: 'classifier',
    decision_reason: 'It deletes files.',
  });
  expect(denials).toEqual([
    {
      tool: 'Bash',
      toolUseId: 'call',
      input: { command: 'ls' },
      agentId: 'sub',
      by: 'classifier',
      reason: 'It deletes files.',
      message: 'Not run.',
    },
  ]);
});

test('a denial of an unknown call says what is known, and calls are forgotten with their turn', () => {
  const { denials, tell } = followed();
  tell('assistant', call);
  tell('result', {});
  tell('assistant', { message: 'nonsense' });
  tell('system/permission_denied', denied);
  expect(denials).toMatchObject([{ input: undefined, by: undefined, reason: undefined, agentId: undefined }]);
});
