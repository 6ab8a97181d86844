import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { registerHooks } from '../../../../../src/host/session/hooks/hooks.js';
import { checkReachable, hiddenRequests } from '../../../../../src/host/session/opening/reachability.js';
import { Cancellation } from '../../../../../src/wire/peer/cancellation.js';
import type { RequestHandler } from '../../../../../src/wire/peer/received-requests.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { requestContext } from '../../../../support/request-context.js';

const context = () => requestContext('c1');

test('declares one callback per event: the matchers joined, the time limits added up, the strictest policy', () => {
  const run = () => ({});
  const { wire } = registerHooks({
    PreToolUse: [{ matcher: 'Bash', run, timeoutMs: 5000, onFailure: 'block' }, { run }],
    PostToolUse: [
      { matcher: 'Bash', run, timeoutMs: 1000, onFailure: 'continue' },
      { matcher: 'Edit|Write', run, timeoutMs: 2000, onFailure: 'continue' },
    ],
    PostToolUseFailure: [
      { matcher: 'Bash', run },
      { matcher: 'mcp__.*', run },
    ],
    Stop: [{ run }],
  });
  expect(wire).toEqual({
    PreToolUse: [{ hookCallbackIds: ['hook_0'], timeout: 65, onFailure: 'block' }],
    PostToolUse: [
      { matcher: 'Bash|Edit|Write', hookCallbackIds: ['hook_1'], timeout: 3, onFailure: 'continue' },
    ],
    PostToolUseFailure: [{ matcher: '^(?:Bash)$|mcp__.*', hookCallbackIds: ['hook_2'], timeout: 120 }],
    Stop: [{ hookCallbackIds: ['hook_3'] }],
  });
  expect(registerHooks({}).wire).toBeUndefined();
});

test('runs a hook with its input', async () => {
  const { handler } = registerHooks({
    Stop: [{ run: () => ({}) }],
    PreToolUse: [{ run: (input, { toolUseId }) => ({ input, toolUseId }) }],
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

describe('a hook that must block when it fails', () => {
  const call = (handler: RequestHandler, withdrawal = new Cancellation()) =>
    handler({ subtype: 'hook_callback', callback_id: 'hook_0', input: {} }, requestContext('c', withdrawal));
  const broken = () => Promise.reject(new Error('broke'));

  test('denies the tool call when it throws, in a form that every CLI version understands', async () => {
    const { handler, wire } = registerHooks({ PreToolUse: [{ run: broken, onFailure: 'block' }] });
    expect(await call(handler)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'A hook of PreToolUse failed: broke',
      },
    });
    expect(wire).toEqual({ PreToolUse: [{ hookCallbackIds: ['hook_0'], timeout: 60, onFailure: 'block' }] });
  });

  test('blocks a prompt and a permission in their own form', async () => {
    const prompt = registerHooks({ UserPromptSubmit: [{ run: broken, onFailure: 'block' }] });
    expect(await call(prompt.handler)).toEqual({
      decision: 'block',
      reason: 'A hook of UserPromptSubmit failed: broke',
    });
    const permission = registerHooks({ PermissionRequest: [{ run: broken, onFailure: 'block' }] });
    expect(await call(permission.handler)).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny' } },
    });
  });

  test('is answered for before the CLI gives up: a late hook would let old CLIs run the tool', async () => {
    const clock = new ManualClock();
    const never = () => new Promise<undefined>(() => {});
    const { handler } = registerHooks(
      { PreToolUse: [{ run: never, timeoutMs: 10_000, onFailure: 'block' }] },
      clock,
    );
    const answer = call(handler);
    clock.advance(9_000);
    expect(await answer).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: /within 10 s/ },
    });
  });

  test.each([
    ['a BigInt', { big: 1n }],
    ['something that is not an object', 'yes'],
    ['an output for another event', { hookSpecificOutput: { hookEventName: 'Stop' } }],
  ])('denies the call when it returns %s', async (_name, output) => {
    const { handler } = registerHooks({ PreToolUse: [{ run: () => output as never, onFailure: 'block' }] });
    expect(await call(handler)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  test('is aborted when it was answered for', async () => {
    const clock = new ManualClock();
    let seen: AbortSignal | undefined;
    const run = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      seen = signal;
      return new Promise<undefined>(() => {});
    };
    const { handler } = registerHooks({ PreToolUse: [{ run, timeoutMs: 1000, onFailure: 'block' }] }, clock);
    const answer = call(handler);
    clock.advance(900);
    await answer;
    expect(seen?.aborted).toBe(true);
  });

  test('leaves no timer when it answers in time', async () => {
    const clock = new ManualClock();
    const { handler } = registerHooks({ PreToolUse: [{ run: () => ({}), onFailure: 'block' }] }, clock);
    expect(await call(handler)).toEqual({});
    expect(clock.size).toBe(0);
  });

  test('answers with an error if nothing can be blocked', async () => {
    const { handler } = registerHooks({ Stop: [{ run: broken, onFailure: 'block' }] });
    await expect(async () => call(handler)).rejects.toThrow('broke');
  });
});

const on = (version: string) => capabilitiesOf({ version });

describe('what hooks and callbacks cannot see', () => {
  test('hooks that this CLI never calls are reported', () => {
    const hooks = { PostToolBatch: [{ run: () => ({}) }], PreToolUse: [{ run: () => ({}) }] };
    expect(hiddenRequests({ hooks }, on('2.0.73'))).toMatchObject([
      { code: 'HOOK_WITHOUT_EFFECT', event: 'PostToolBatch' },
    ]);
    expect(hiddenRequests({ hooks }, on('2.1.326'))).toEqual([]);
  });

  test('a CLI with auto mode that asks nobody about what it denies is reported', () => {
    const told = (version: string) => hiddenRequests({ askWhenDenied: true }, on(version));
    expect(told('2.1.80')).toEqual([
      {
        code: 'REQUESTS_HIDDEN',
        message: 'CLI 2.1.80 offers no way to allow a call that auto mode has denied; newer ones do.',
      },
    ]);
    expect([told('2.1.17'), told('2.1.326')]).toEqual([[], []]);
  });

  test('a policy that can block nothing is reported', () => {
    const hooks = { Stop: [{ run: () => ({}), onFailure: 'block' as const }] };
    expect(hiddenRequests({ hooks }, on('2.1.326'))).toMatchObject([
      { event: 'Stop', message: /cannot block/ },
    ]);
  });

  test('rules and modes that hide tool calls from the permission callback are reported', () => {
    const onPermission = () => ({ promptId: 'x', accepted: true }) as never;
    const messages = hiddenRequests(
      {
        onPermission,
        allowedTools: ['Read'],
        rules: { allow: ['Bash(git:*)'] },
        permissionMode: 'acceptEdits',
      },
      on('2.1.326'),
    ).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('Read, Bash(git:*)'),
      expect.stringContaining('acceptEdits'),
    ]);
    expect(hiddenRequests({ allowedTools: ['Read'] }, on('2.1.326'))).toEqual([]);
    const told = { current_permission_mode: 'auto' };
    expect(hiddenRequests({ onPermission }, on('2.1.326'), told)).toMatchObject([
      { message: /in mode auto/ },
    ]);
    expect(hiddenRequests({ onPermission }, on('2.1.326'), { current_permission_mode: 'default' })).toEqual(
      [],
    );
  });

  test('callbacks that can never be called are named', () => {
    const onQuestion = () => ({}) as never;
    expect(() => checkReachable({ onQuestion }, on('2.0.30'))).toThrow(
      /^onQuestion: CLI 2\.0\.30 .* Use CLI 2\.0\.\d+ or newer\.$/,
    );
    expect(() => checkReachable({ onQuestion }, on('2.1.17'))).not.toThrow();
    const options = { onElicitation: () => ({}) as never, onDialog: () => ({}) as never };
    expect(() => checkReachable(options, on('2.1.17'))).toThrow(/onElicitation: CLI 2\.1\.17.*onDialog/);
    expect(() => checkReachable(options, on('2.1.326'))).not.toThrow();
  });
});
