import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { McpBridge } from '../../../../src/host/mcp/bridge.js';
import { mcpServer, type ToolServer } from '../../../../src/host/mcp/mcp-server.js';
import type { McpTransport } from '../../../../src/host/mcp/server-object.js';
import { tool } from '../../../../src/host/mcp/tool.js';
import { Cancellation } from '../../../../src/wire/peer/cancellation.js';
import { isObject, type WireObject } from '../../../../src/wire/protocol/frames.js';
import { systemClock } from '../../../../src/wire/util/clock.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { ManualClock } from '../../../support/manual-clock.js';

const never = () => new Cancellation();

/** The CLI's side of one session with one server. */
function client(server: ToolServer, sessionId = 's') {
  const sent: WireObject[] = [];
  const told: Diagnostic[] = [];
  const bridge = new McpBridge({
    send: async (_server, message) => {
      sent.push(message);
    },
    setupMs: 20_000,
    session: { id: sessionId },
    clock: systemClock,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  bridge.add('x', server);
  let id = 0;
  const ask = async (method: string, params: WireObject = {}): Promise<WireObject> => {
    const message = { jsonrpc: '2.0', id: id++, method, params };
    return (await bridge.handle({ server_name: 'x', message }, never())).mcp_response;
  };
  const note = (method: string, params: WireObject = {}) =>
    bridge.handle({ server_name: 'x', message: { jsonrpc: '2.0', method, params } }, never());
  const shakeHands = async (): Promise<WireObject> => {
    const clientInfo = { name: 'claude-code', version: '2.1.326' };
    const hello = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await note('notifications/initialized');
    return hello;
  };
  const call = (name: string, input: WireObject = {}, meta?: WireObject) =>
    ask('tools/call', { name, arguments: input, ...(meta === undefined ? {} : { _meta: meta }) });
  return { bridge, sent, told, ask, note, shakeHands, call };
}

const textOf = ({ result }: WireObject): unknown =>
  isObject(result) && Array.isArray(result.content) ? result.content[0]?.text : undefined;

describe('a server of tools, connected', () => {
  const weather = tool({
    name: 'weather',
    description: 'Tells the weather',
    input: z.object({ city: z.string() }),
    run: ({ city }) => `It rains in ${city}`,
    annotations: { readOnlyHint: true },
    meta: { 'anthropic/alwaysLoad': true },
  });
  const plain = tool({
    name: 'plain',
    description: 'Takes a number',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    run: ({ n }) => ({ n }),
  });

  test('introduces itself with name, version and instructions', async () => {
    const { shakeHands } = client(
      mcpServer('sky', [weather], { version: '2.0.0', instructions: 'Look up.' }),
    );
    expect(await shakeHands()).toMatchObject({
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'sky', version: '2.0.0' },
        instructions: 'Look up.',
      },
    });
  });

  test.each([
    ['of its own', Promise],
    ['of another realm', runInNewContext('Promise') as typeof Promise],
  ])('runs no tool before a schema has validated the input, also with a promise %s', async (_what, Own) => {
    let ran = false;
    const validate = () => Own.resolve({ issues: [{ message: 'never good' }] });
    const strict = tool({
      name: 'strict',
      description: 'Takes nothing',
      input: {
        schema: { '~standard': { version: 1, vendor: 'test', validate } },
        jsonSchema: { type: 'object' },
      },
      run: () => {
        ran = true;
      },
    });
    const { shakeHands, call } = client(mcpServer('strict', [strict]));
    await shakeHands();
    expect(textOf(await call('strict'))).toMatch(/never good/);
    expect(ran).toBe(false);
  });

  test('lists its tools with schema, annotations and meta', async () => {
    const { shakeHands, ask } = client(mcpServer('sky', [weather, plain]));
    await shakeHands();
    expect(await ask('tools/list')).toMatchObject({
      result: {
        tools: [
          {
            name: 'weather',
            description: 'Tells the weather',
            inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            annotations: { readOnlyHint: true },
            _meta: { 'anthropic/alwaysLoad': true },
          },
          { name: 'plain', inputSchema: { required: ['n'] } },
        ],
      },
    });
  });

  test('calls a tool with validated arguments', async () => {
    const { shakeHands, call } = client(mcpServer('sky', [weather, plain]));
    await shakeHands();
    expect(textOf(await call('weather', { city: 'Bonn' }))).toBe('It rains in Bonn');
    expect(textOf(await call('plain', { n: 5 }))).toBe('{"n":5}');
    for (const [name, input] of [
      ['weather', { city: 5 }],
      ['plain', {}],
    ] as const) {
      const wrong = await call(name, input);
      expect(wrong).toMatchObject({ result: { isError: true } });
      expect(textOf(wrong)).toMatch(new RegExp(`Invalid arguments for tool ${name}`));
    }
  });

  test('refuses an unknown tool', async () => {
    const { shakeHands, call } = client(mcpServer('sky', [weather]));
    await shakeHands();
    expect(await call('tides')).toMatchObject({ error: { message: /tides not found/ } });
  });

  test('turns an exception into a tool error and reports it with server and tool', async () => {
    const broken = tool({
      name: 'broken',
      description: 'Fails',
      run: () => {
        throw new TypeError('out of order');
      },
    });
    const { shakeHands, call, told } = client(mcpServer('sky', [broken]));
    await shakeHands();
    const answer = await call('broken');
    expect(answer).toMatchObject({ result: { isError: true } });
    expect(textOf(answer)).toBe('out of order');
    expect(told).toMatchObject([
      { code: 'MCP_TOOL_FAILED', server: 'sky', tool: 'broken', error: expect.any(TypeError) },
    ]);
  });

  test('that returns invalid content gets a JSON-RPC error', async () => {
    const odd = tool({
      name: 'odd',
      description: 'd',
      run: () => ({ content: [{ type: 'image', data: 5 }] }),
    });
    const { shakeHands, call } = client(mcpServer('sky', [odd]));
    await shakeHands();
    expect(await call('odd')).toHaveProperty('error');
  });

  test('connects even without tools', async () => {
    const { shakeHands } = client(mcpServer('empty', []));
    expect(await shakeHands()).toMatchObject({ result: { serverInfo: { name: 'empty' } } });
  });

  test('with an invalid JSON Schema fails by name, before any turn', async () => {
    const wrong = tool({
      name: 'wrong',
      description: 'd',
      input: { properties: { a: { type: 'txt' } } },
      run: () => 1,
    });
    const { shakeHands, told } = client(mcpServer('sky', [wrong]));
    await expect(shakeHands()).rejects.toThrow(/"x" could not be connected/);
    expect(told).toMatchObject([{ code: 'MCP_SERVER_FAILED', server: 'x' }]);
  });
});

describe('a call', () => {
  test('reports progress only to a client that requested it', async () => {
    const steps = tool({
      name: 'steps',
      description: 'd',
      run: (_input, { progress }) => {
        progress(1);
        progress(2, { total: 2, message: 'nearly' });
        return 'there';
      },
    });
    const { shakeHands, call, sent } = client(mcpServer('stairs', [steps]));
    await shakeHands();
    await call('steps');
    expect(sent).toEqual([]);
    await call('steps', {}, { progressToken: 7 });
    expect(sent).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      {
        method: 'notifications/progress',
        params: { progressToken: 7, progress: 2, total: 2, message: 'nearly' },
      },
    ]);
  });

  test('is aborted by notifications/cancelled', async () => {
    const aborted: unknown[] = [];
    const { promise: begun, resolve: begin } = begins();
    const slow = tool({
      name: 'slow',
      description: 'd',
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason);
            reject(signal.reason);
          });
          begin();
        }),
    });
    const { shakeHands, ask, note, told } = client(mcpServer('s', [slow]));
    await shakeHands();
    const answer = ask('tools/call', { name: 'slow', arguments: {} });
    await begun;
    await note('notifications/cancelled', { requestId: 1, reason: 'interrupted' });
    expect(await answer).toMatchObject({ id: 1, error: { code: -32800 } });
    expect(aborted).toHaveLength(1);
    expect(told).toEqual([]);
  });

  test('is aborted when the session ends', async () => {
    const { promise: begun, resolve: begin } = begins();
    let seen: AbortSignal | undefined;
    const slow = tool({
      name: 'slow',
      description: 'd',
      run: (_input, { signal }) => {
        seen = signal;
        begin();
        return new Promise(() => {});
      },
    });
    const { bridge, shakeHands, call } = client(mcpServer('s', [slow]));
    await shakeHands();
    const answer = call('slow');
    await begun;
    await bridge.close();
    expect(seen?.aborted).toBe(true);
    expect(await answer).toHaveProperty('error');
  });

  test('has the time limit of its tool, or that of the server', async () => {
    const clock = new ManualClock();
    const begun: (() => void)[] = [];
    const hangs = (name: string, timeoutMs?: number) =>
      tool({
        name,
        description: 'd',
        timeoutMs,
        run: () => {
          begun.shift()?.();
          return new Promise(() => {});
        },
      });
    const server = mcpServer('s', [hangs('own', 5), hangs('shared')], { timeoutMs: 50 }, { clock });
    const { shakeHands, call } = client(server);
    await shakeHands();
    for (const [name, ms] of [
      ['own', 5],
      ['shared', 50],
    ] as const) {
      const { promise, resolve } = begins();
      begun.push(resolve);
      const answer = call(name);
      await promise;
      clock.advance(ms);
      expect(textOf(await answer)).toBe(`Tool "${name}" did not finish within ${ms} ms.`);
    }
  });

  test('knows its session and its tool call', async () => {
    const who = tool({
      name: 'who',
      description: 'd',
      run: (_input, { session, toolUseId }) => `${session?.id} ${toolUseId}`,
    });
    const server = mcpServer('s', [who]);
    const sessions = Array.from({ length: 50 }, (_, index) => client(server, `session ${index}`));
    const answers = await Promise.all(
      sessions.map(async ({ shakeHands, call }) => {
        await shakeHands();
        return textOf(await call('who', {}, { 'claudecode/toolUseId': 'toolu_1' }));
      }),
    );
    expect(answers).toEqual(sessions.map((_, index) => `session ${index} toolu_1`));
  });
});

test('the same tools work on any other MCP transport, without a session', async () => {
  const answers: WireObject[] = [];
  const transport: McpTransport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      answers.push(message);
    },
  };
  const who = tool({ name: 'who', description: 'd', run: (_input, { session }) => session ?? 'nobody' });
  await mcpServer('s', [who]).connect(transport);
  transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } });
  await expect.poll(() => answers).toMatchObject([{ id: 1, result: { content: [{ text: 'nobody' }] } }]);
});

function begins() {
  let resolve = () => {};
  const promise = new Promise<void>((onBegin) => {
    resolve = onBegin;
  });
  return { promise, resolve };
}
