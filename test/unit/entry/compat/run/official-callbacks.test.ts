import { describe, expect, test, vi } from 'vitest';
import { query } from '../../../../../src/entry/compat/query/query.js';
import type { Options } from '../../../../../src/entry/compat/types/option-types.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';
import { settle } from '../../../../support/settle.js';
import { fakeCli, INIT, RESULT } from '../fake-process.js';

const PERMISSION = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'tu',
  agent_id: 'a',
  matched_ask_rule: { source: 's', tool_name: 'Bash' },
};

/** Sends a request during a turn; returns the answer, or undefined if there was none. */
async function answerTo(request: WireObject, callbacks: Options): Promise<unknown> {
  const { options, started } = fakeCli({
    onUser: (cli) => {
      cli.say(INIT);
      cli.ask('asked', request);
      // A request without a handler is refused at once: its answer comes after that of a callback.
      void settle(20).then(() => cli.ask('after', { subtype: 'nonsense' }));
    },
  });
  await using run = query({ prompt: 'hi', options: { ...options, ...callbacks } });
  await run.next();
  await vi.waitFor(() => expect(started[0]?.answers).toHaveProperty('after'));
  return started[0]?.answers.asked;
}

describe('canUseTool', () => {
  test('gets the fields of the request, and its decision is passed on with the id of the call', async () => {
    const canUseTool = vi.fn(async () => ({ behavior: 'allow' as const, toolUseID: 'mine' }));
    expect(await answerTo(PERMISSION, { canUseTool })).toMatchObject({
      subtype: 'success',
      response: { behavior: 'allow', toolUseID: 'tu' },
    });
    expect(canUseTool).toHaveBeenCalledWith(
      'Bash',
      { command: 'ls' },
      {
        signal: expect.any(AbortSignal),
        requestId: 'asked',
        toolUseID: 'tu',
        agentID: 'a',
        matchedAskRule: { source: 's', toolName: 'Bash' },
      },
    );
  });

  test.each<[string, Options]>([
    ['is missing', {}],
    ['throws', { canUseTool: () => Promise.reject(new Error('broken')) }],
    ['gives nothing', { canUseTool: async () => undefined as never }],
    ['gives nonsense', { canUseTool: async () => ({ behavior: 'perhaps' }) as never }],
  ])('allows nothing if it %s', async (_name, callbacks) => {
    expect(await answerTo(PERMISSION, callbacks)).toMatchObject({ subtype: 'error' });
  });

  test('leaves the answer to somebody else with null', async () => {
    expect(await answerTo(PERMISSION, { canUseTool: async () => null })).toBeUndefined();
  });

  test('runs after the program has seen all earlier messages', async () => {
    const order: string[] = [];
    const decided = deferred<void>();
    const { options } = fakeCli({
      onUser: (cli) => {
        cli.say(INIT);
        cli.ask('asked', PERMISSION);
        void decided.promise.then(() => cli.say(RESULT));
      },
    });
    const canUseTool = async () => {
      order.push('asked');
      decided.resolve();
      return { behavior: 'deny' as const, message: 'no' };
    };
    for await (const { type } of query({ prompt: 'hi', options: { ...options, canUseTool } }))
      order.push(type);
    expect(order).toEqual(['system', 'asked', 'result']);
  });
});

describe('other callbacks', () => {
  const ELICITATION = { subtype: 'elicitation', mcp_server_name: 's', message: 'm', requested_schema: {} };
  const DIALOG = { subtype: 'request_user_dialog', dialog_kind: 'k', payload: { a: 1 } };

  test('answer elicitations of MCP servers; without one they are declined', async () => {
    const onElicitation = vi.fn(async () => ({ action: 'accept' as const, content: { a: 1 } }));
    expect(await answerTo(ELICITATION, { onElicitation })).toMatchObject({
      response: { action: 'accept', content: { a: 1 } },
    });
    expect(onElicitation.mock.calls[0]?.at(0)).toEqual({
      serverName: 's',
      message: 'm',
      requestedSchema: {},
    });
    expect(await answerTo(ELICITATION, {})).toMatchObject({ response: { action: 'decline' } });
  });

  test('show dialogs; without one they are left to others', async () => {
    const onUserDialog = async () => ({ behavior: 'completed' as const, result: 1 });
    expect(await answerTo(DIALOG, { onUserDialog })).toMatchObject({
      response: { behavior: 'completed', result: 1 },
    });
    expect(await answerTo(DIALOG, {})).toBeUndefined();
    expect(await answerTo(DIALOG, { onUserDialog: async () => null })).toBeUndefined();
    expect(await answerTo(ELICITATION, { onElicitation: async () => null })).toBeUndefined();
  });

  test('run as hooks, by their declared ids', async () => {
    const seen: unknown[] = [];
    const note = async (_input: unknown, toolUseId: unknown) => {
      seen.push(toolUseId);
      return { continue: true };
    };
    const hooks = {
      Stop: [],
      PreToolUse: [
        {
          matcher: 'Bash',
          timeout: 7,
          hooks: [async () => ({}), note],
        },
      ],
    };
    const request = { subtype: 'hook_callback', callback_id: 'hook_1', input: {}, tool_use_id: 'tu' };
    expect(await answerTo(request, { hooks })).toMatchObject({ response: { continue: true } });
    expect(seen).toEqual(['tu']);
    expect(await answerTo({ ...request, callback_id: 'hook_9' }, { hooks })).toMatchObject({
      subtype: 'error',
    });
  });

  test('are never called for requests to another machine', async () => {
    expect(await answerTo({ subtype: 'remote_tool_call' }, {})).toBeUndefined();
  });
});
