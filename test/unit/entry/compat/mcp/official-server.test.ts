import { expect, test } from 'vitest';
import * as z from 'zod';
import { z as z3 } from 'zod/v3';
import { captureManifests } from '../../../../../src/entry/compat/mcp/manifests.js';
import { createSdkMcpServer, ToolInstance } from '../../../../../src/entry/compat/mcp/official-server.js';
import { tool } from '../../../../../src/entry/compat/mcp/official-tool.js';
import { query } from '../../../../../src/entry/compat/query/query.js';
import type { McpSdkServerConfigWithInstance } from '../../../../../src/entry/compat/types/mcp-types.js';
import type { McpTransport } from '../../../../../src/host/mcp/server-object.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';
import { fakeCli, INIT, RESULT, typesOf } from '../fake-process.js';

function manifestOf(server: McpSdkServerConfigWithInstance): unknown {
  return server.instance instanceof ToolInstance ? server.instance.manifest : undefined;
}

const done = async () => ({ content: [] });

test('a tool has the same form as in the official SDK', () => {
  const shape = { city: z.string() };
  expect(
    tool('time', 'Tells the time', shape, done, {
      annotations: { readOnlyHint: true },
      searchHint: 'h',
      alwaysLoad: true,
    }),
  ).toEqual({
    name: 'time',
    description: 'Tells the time',
    inputSchema: shape,
    handler: done,
    annotations: { readOnlyHint: true },
    _meta: { 'anthropic/searchHint': 'h', 'anthropic/alwaysLoad': true },
  });
  expect(tool('time', '', {}, done)).not.toHaveProperty('_meta');
});

test.each([
  ['4', { city: z.string().describe('c'), days: z.number().optional() }],
  ['3', { city: z3.string().describe('c'), days: z3.number().optional() }],
])('a server lists its tools’ parameters, from zod %s schemas', async (_version, shape) => {
  const server = createSdkMcpServer({
    name: 'clock',
    version: '1.2.3',
    instructions: 'Ask.',
    timeout: 5,
    tools: [tool('time', 'Tells', shape, done)],
  });
  expect(server).toMatchObject({ type: 'sdk', name: 'clock', timeout: 5 });
  expect(await manifestOf(server)).toMatchObject({
    initializeResult: { serverInfo: { name: 'clock', version: '1.2.3' }, instructions: 'Ask.' },
    toolsListResult: {
      tools: [
        {
          name: 'time',
          inputSchema: {
            type: 'object',
            properties: { city: { type: 'string', description: 'c' }, days: { type: 'number' } },
            required: ['city'],
          },
        },
      ],
    },
  });
});

test('a server without tools says so, and one with a wrong schema offers nothing and does no harm', async () => {
  expect(await manifestOf(createSdkMcpServer({ name: 'bare' }))).toHaveProperty('initializeResult');
  const wrong = tool('bad', '', { city: 'text' } as unknown as { city: z.ZodString }, done);
  expect(await manifestOf(createSdkMcpServer({ name: 'wrong', tools: [wrong] }))).toBeUndefined();
});

test('a whole zod object is accepted too, and all tools can be loaded from the start', async () => {
  const whole = tool('time', '', z.object({ city: z.string() }) as unknown as { city: z.ZodString }, done);
  const server = createSdkMcpServer({ name: 'clock', tools: [whole], alwaysLoad: true });
  expect(await manifestOf(server)).toMatchObject({
    toolsListResult: {
      tools: [{ inputSchema: { required: ['city'] }, _meta: { 'anthropic/alwaysLoad': true } }],
    },
  });
});

test('a start does not wait for slow servers', async () => {
  const clock = new ManualClock();
  const slow = { manifest: new Promise<undefined>(() => {}), withinMs: 250 };
  const broken = { manifest: Promise.reject(new Error('broken')), withinMs: 250 };
  const quick = { manifest: Promise.resolve({ a: 1 }), withinMs: 250 };
  const captured = captureManifests({ slow, broken, quick }, clock);
  await settle();
  clock.advance(250);
  expect(await captured).toEqual({ quick: { a: 1 } });
  expect(await captureManifests({}, clock)).toBeUndefined();
  expect(clock.size).toBe(0);
});

test('a query serves its tools: validated arguments, progress, errors, and the same server twice', async () => {
  const seen: unknown[] = [];
  const clock = createSdkMcpServer({
    name: 'clock',
    tools: [
      tool('time', 'Tells', { city: z.string() }, async ({ city }, extra) => {
        const { _meta, signal, sendNotification } = extra as never as {
          _meta: unknown;
          signal: AbortSignal;
          sendNotification: (note: object) => Promise<void>;
        };
        seen.push(city, _meta, signal.aborted);
        await sendNotification({ method: 'notifications/progress', params: { progress: 1, total: 2 } });
        return { content: [{ type: 'text', text: 'Noon' }] };
      }),
    ],
  });
  const call = (id: string, city: unknown) => ({
    subtype: 'mcp_message',
    server_name: 'clock',
    message: {
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'time', arguments: { city }, _meta: { progressToken: 7 } },
    },
  });
  for (const round of [1, 2]) {
    const { options, started } = fakeCli({
      onUser: (cli) => {
        cli.say(INIT);
        cli.ask('good', call('1', 'Rome'));
        cli.ask('bad', call('2', 5));
      },
    });
    await using run = query({ prompt: 'hi', options: { ...options, mcpServers: { clock } } });
    await run.next();
    await expect.poll(() => Object.keys(started[0]?.answers ?? {}).sort()).toEqual(['bad', 'good']);
    expect(started[0]?.answers, `round ${round}`).toMatchObject({
      good: { response: { mcp_response: { id: '1', result: { content: [{ text: 'Noon' }] } } } },
      bad: { response: { mcp_response: { id: '2', result: { isError: true } } } },
    });
    expect(started[0]?.heard).toContainEqual(
      expect.objectContaining({
        request: expect.objectContaining({
          message: expect.objectContaining({ method: 'notifications/progress' }),
        }),
      }),
    );
    started[0]?.say(RESULT);
  }
  expect(seen).toEqual(['Rome', { progressToken: 7 }, false, 'Rome', { progressToken: 7 }, false]);
});

test.each([
  ['answers', true],
  ['is silent', false],
])(
  'a server object of any kind that %s is queried over the connection that the CLI uses',
  async (_how, answers) => {
    let connections = 0;
    const instance = {
      connect: async (transport: McpTransport) => {
        connections += 1;
        const results: Record<string, unknown> = {
          initialize: { protocolVersion: '1', capabilities: { tools: {} }, serverInfo: {} },
          'tools/list': { tools: [{ name: 'own' }] },
        };
        transport.onmessage = ({ id, method }) => {
          const result = results[String(method)];
          if (answers && result !== undefined) void transport.send({ jsonrpc: '2.0', id, result });
        };
        await transport.start();
      },
    };
    const { options, started } = fakeCli();
    const mcpServers = { mine: { type: 'sdk' as const, name: 'mine', instance } };
    await typesOf(query({ prompt: 'hi', options: { ...options, mcpServers } }));
    const told = {
      mine: { initializeResult: expect.anything(), toolsListResult: { tools: [{ name: 'own' }] } },
    };
    expect(started[0]?.heard[0]?.request).toMatchObject({ sdkMcpServers: ['mine'] });
    expect(started[0]?.heard[0]?.request).toEqual(
      answers
        ? expect.objectContaining({ sdkMcpServerManifests: told })
        : expect.not.objectContaining({ sdkMcpServerManifests: expect.anything() }),
    );
    expect(connections).toBe(1);
  },
);

test('another set of servers replaces the in-process ones', async () => {
  const one = createSdkMcpServer({ name: 'one' });
  const two = createSdkMcpServer({ name: 'two' });
  const { options, started } = fakeCli({ onUser: (cli) => cli.say(INIT) });
  await using run = query({ prompt: 'hi', options: { ...options, mcpServers: { one } } });
  await run.next();
  await run.setMcpServers({ two });
  const ping = (server_name: string) => ({
    subtype: 'mcp_message',
    server_name,
    message: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  started[0]?.ask('one', ping('one'));
  started[0]?.ask('two', ping('two'));
  await expect.poll(() => Object.keys(started[0]?.answers ?? {}).length).toBe(2);
  expect(started[0]?.answers).toMatchObject({ one: { subtype: 'error' }, two: { subtype: 'success' } });
});
