import { expect, test } from 'vitest';
import { registerHooks } from '../../../../src/session/cli-requests/hooks.js';

const context = () => ({ id: 'c1', signal: new AbortController().signal });

test('declares each hook with an id of its own, as the wire wants it', () => {
  const run = () => ({});
  const { wire } = registerHooks({
    PreToolUse: [{ matcher: 'Bash', run, timeoutSeconds: 5, onFailure: 'block' }, { run }],
    Stop: [{ run }],
  });
  expect(wire).toEqual({
    PreToolUse: [
      { matcher: 'Bash', hookCallbackIds: ['hook_0'], timeout: 5, onFailure: 'block' },
      { hookCallbackIds: ['hook_1'] },
    ],
    Stop: [{ hookCallbackIds: ['hook_2'] }],
  });
  expect(registerHooks({}).wire).toBeUndefined();
});

test('runs the hook that the CLI names, with its input', async () => {
  const { handler } = registerHooks({
    PreToolUse: [{ run: () => ({ first: true }) }, { run: (input, { toolUseId }) => ({ input, toolUseId }) }],
  });
  const body = {
    subtype: 'hook_callback',
    callback_id: 'hook_1',
    input: { tool_name: 'Bash' },
    tool_use_id: 't',
  };
  expect(await handler(body, context())).toEqual({ input: { tool_name: 'Bash' }, toolUseId: 't' });
});

test('a hook that returns nothing answers with an empty object', async () => {
  const { handler } = registerHooks({ Stop: [{ run: () => undefined }] });
  expect(await handler({ subtype: 'hook_callback', callback_id: 'hook_0' }, context())).toEqual({});
});

test('an unknown id and a throwing hook are errors', async () => {
  const { handler } = registerHooks({
    Stop: [
      {
        run: () => {
          throw new Error('broke');
        },
      },
    ],
  });
  await expect(async () =>
    handler({ subtype: 'hook_callback', callback_id: 'nope' }, context()),
  ).rejects.toMatchObject({
    code: 'PROTOCOL_ERROR',
  });
  await expect(async () =>
    handler({ subtype: 'hook_callback', callback_id: 'hook_0' }, context()),
  ).rejects.toThrow('broke');
});
