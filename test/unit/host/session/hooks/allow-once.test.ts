import { expect, test } from 'vitest';
import { allowOnce, type DeniedCall } from '../../../../../src/host/session/hooks/allow-once.js';

const context = { signal: new AbortController().signal, toolUseId: 'call' };
const base = { session_id: 's', transcript_path: '/t', cwd: '/' };
const call = { tool_name: 'Bash', tool_input: { command: 'rm x' }, tool_use_id: 'call' };
const before = { ...base, ...call, hook_event_name: 'PreToolUse' } as const;
const denied = { ...base, ...call, hook_event_name: 'PermissionDenied', reason: 'It deletes.' } as const;

function hooks(decide: (call: DeniedCall) => boolean) {
  const { PermissionDenied, PreToolUse } = allowOnce(decide);
  return {
    deny: async (signal = context.signal) => PermissionDenied?.[0]?.run(denied, { ...context, signal }),
    call: async (input = before) => PreToolUse?.[0]?.run(input, context),
  };
}

const runs = { hookSpecificOutput: { permissionDecision: 'allow' } };

test('a call that is allowed runs once, and the model may try again', async () => {
  const asked: DeniedCall[] = [];
  const { deny, call } = hooks((each) => asked.push(each) > 0);
  expect(await call()).toBeUndefined();
  expect(await deny()).toMatchObject({ hookSpecificOutput: { retry: true } });
  expect(asked).toMatchObject([{ tool: 'Bash', input: { command: 'rm x' }, reason: 'It deletes.' }]);
  expect(await call({ ...before, tool_input: { command: 'rm y' } })).toBeUndefined();
  expect(await call()).toMatchObject(runs);
  expect(await call()).toBeUndefined();
});

test('a call that is not allowed stays denied', async () => {
  const { deny, call } = hooks(() => false);
  expect(await deny()).toBeUndefined();
  expect(await call()).toBeUndefined();
});

test('an answer that comes too late allows nothing', async () => {
  const { deny, call } = hooks(() => true);
  expect(await deny(AbortSignal.abort())).toBeUndefined();
  expect(await call()).toBeUndefined();
});
