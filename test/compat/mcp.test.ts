import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { askHost, elicit, mcpMessage, mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { differential } from './harness/differential.js';
import type { Options, Program, Sdk } from './harness/program.js';
import type { Stage } from './harness/stage.js';

/** The MCP SDK that the official SDK includes. */
const MCP_SDK = resolve('test/peers/node_modules/@modelcontextprotocol/sdk/dist/esm/server/mcp.js');

/** Differences of another MCP library, for every in-process server with tools. */
const LIBRARY = ['mcp-task-support', 'mcp-acknowledgement'];
const REFUSED = { accepts: [...LIBRARY, 'mcp-refusals'] };

type Servers = (sdk: Sdk, stage: Stage) => Options;

/** The requests to in-process servers during a turn. */
function served(
  name: string,
  servers: Servers,
  steps: readonly Step[],
  more: Partial<Program> & { readonly options?: (stage: Stage) => Options } = {},
): Program {
  const { options, ...rest } = more;
  return {
    name,
    accepts: LIBRARY,
    scenarios: [[onUser([say('Let me see.'), ...steps, say('That is all.')])]],
    run: (sdk, stage) => {
      const own = { mcpServers: servers(sdk, stage), ...options?.(stage) };
      return stage.read(sdk.query({ prompt: 'Hi', options: stage.options(own) }));
    },
    ...rest,
  };
}

/** A server with a clock and two ways to fail. */
function clock(sdk: Sdk, stage: Stage, more: Options = {}): unknown {
  const time = sdk.tool(
    'time',
    'Tells the time of a city',
    { city: z.string() },
    async (args: { city: string }) => {
      stage.tell('time', args);
      return { content: [{ type: 'text', text: `Noon in ${args.city}.` }] };
    },
  );
  const breaks = sdk.tool('breaks', 'Throws', {}, async () => {
    throw new Error('The spring broke.');
  });
  const wrong = sdk.tool('wrong', 'Says that it went wrong', {}, async () => ({
    content: [{ type: 'text', text: 'Stopped.' }],
    isError: true,
  }));
  return sdk.createSdkMcpServer({ name: 'clock', version: '1.2.3', tools: [time, breaks, wrong], ...more });
}

const withClock: Servers = (sdk, stage) => ({ clock: clock(sdk, stage) });

differential([
  served('an in-process tool is called', withClock, [mcpTool('clock', 'time', { city: 'Rome' })]),
  served(
    'an in-process tool needs permission',
    withClock,
    [mcpTool('clock', 'time', { city: 'Rome' }, { ask: true })],
    {
      options: (stage) => ({
        canUseTool: async (name: string, input: unknown) => {
          stage.tell('asked', name);
          return { behavior: 'allow', updatedInput: input };
        },
      }),
    },
  ),
  served('a tool that throws returns an error to the model', withClock, [mcpTool('clock', 'breaks')]),
  served('a tool reports an error', withClock, [mcpTool('clock', 'wrong')]),
  served(
    'an input that does not fit is refused',
    withClock,
    [mcpTool('clock', 'time', { city: 7 })],
    REFUSED,
  ),
  served('an unknown tool is refused', withClock, [mcpTool('clock', 'alarm')], REFUSED),
  served('tools are listed', withClock, [mcpMessage('clock', { id: 9, method: 'tools/list' })]),
  served('a ping is answered', withClock, [mcpMessage('clock', { id: 9, method: 'ping' })]),
  served('an unknown method is refused', withClock, [mcpMessage('clock', { id: 9, method: 'no/such' })]),
  served('a notification is accepted', withClock, [
    askHost({
      subtype: 'mcp_message',
      server_name: 'clock',
      message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } },
    }),
  ]),
  served(
    'an unknown server is refused',
    withClock,
    [
      askHost({
        subtype: 'mcp_message',
        server_name: 'nobody',
        message: { jsonrpc: '2.0', id: 1, method: 'ping' },
      }),
    ],
    { accepts: [...LIBRARY, 'mcp-unknown-server'] },
  ),
  served(
    'two servers are distinguished',
    (sdk, stage) => ({
      here: clock(sdk, stage),
      there: clock(sdk, stage, { name: 'there' }),
    }),
    [mcpTool('here', 'time', { city: 'Rome' }), mcpTool('there', 'time', { city: 'Oslo' })],
  ),
  ...[
    { disableAutoBackground: true, connectorId: 'c', autoModeVerdictTools: ['time'], onPersonsMachine: true },
    { disableAutoBackground: 1, connectorId: '', autoModeVerdictTools: [1], onPersonsMachine: null },
    { onPersonsMachine: { exceptTools: ['time'], other: 1 }, timeout: 0, tools: [] },
    { onPersonsMachine: { exceptTools: [1] }, timeout: '5', tools: 'time', unheardOf: true },
  ].map((said) =>
    served(
      `what else a program says about its server is passed on: ${JSON.stringify(said)}`,
      (sdk, stage) => ({ clock: { ...Object(clock(sdk, stage)), ...said } }),
      [mcpTool('clock', 'time', { city: 'Rome' })],
    ),
  ),
  served(
    'what a server and its tools declare is passed on',
    (sdk, stage) => ({
      clock: sdk.createSdkMcpServer({
        name: 'clock',
        instructions: 'Ask for the time.',
        alwaysLoad: true,
        timeout: 5000,
        tools: [
          sdk.tool(
            'set',
            'Sets the clock',
            {
              at: z.string().describe('when'),
              zone: z.enum(['utc', 'cet']).optional(),
              days: z.array(z.number().int().min(1)).default([1]),
            },
            async (args: unknown) => {
              stage.tell('set', args);
              return { content: [{ type: 'text', text: 'Set.' }], structuredContent: { set: true } };
            },
            {
              annotations: { readOnlyHint: false, destructiveHint: true },
              searchHint: 'alarm',
              alwaysLoad: true,
            },
          ),
        ],
      }),
    }),
    [mcpMessage('clock', { id: 9, method: 'tools/list' }), mcpTool('clock', 'set', { at: 'noon' })],
  ),
  served(
    'a tool returns a result without content, with null fields',
    (sdk) => ({
      clock: sdk.createSdkMcpServer({
        name: 'clock',
        tools: [
          sdk.tool('set', 'Sets the clock', {}, async () => ({ structuredContent: { set: true } }), null),
        ],
      }),
    }),
    [mcpTool('clock', 'set', {})],
  ),
  served(
    'a tool with schemas of the older zod is called',
    (sdk, stage) => ({
      clock: sdk.createSdkMcpServer({
        name: 'clock',
        tools: [
          sdk.tool(
            'time',
            'Tells the time',
            { city: z3.string().describe('where') },
            async (args: unknown) => {
              stage.tell('time', args);
              return { content: [{ type: 'text', text: 'Noon.' }] };
            },
          ),
        ],
      }),
    }),
    [mcpMessage('clock', { id: 9, method: 'tools/list' }), mcpTool('clock', 'time', { city: 'Rome' })],
  ),
  served(
    'a tool gets the context of its call',
    (sdk, stage) => ({
      clock: sdk.createSdkMcpServer({
        name: 'clock',
        tools: [
          sdk.tool('time', 'Tells the time', {}, async (_args: unknown, extra: Options) => {
            const { signal, _meta: meta, requestId } = extra;
            stage.tell('extra', signal instanceof AbortSignal, meta, typeof requestId);
            return { content: [] };
          }),
        ],
      }),
    }),
    [mcpTool('clock', 'time')],
  ),
  {
    ...served('a server made with the MCP SDK is served', () => ({}), [
      mcpMessage('mine', { id: 9, method: 'tools/list' }),
      mcpTool('mine', 'time', { city: 'Rome' }),
    ]),
    accepts: ['mcp-acknowledgement'],
    run: async (sdk, stage) => {
      const { McpServer } = await import(pathToFileURL(MCP_SDK).href);
      const instance = new McpServer({ name: 'mine', version: '1.0.0' });
      instance.tool('time', 'Tells the time', { city: z.string() }, async (args: unknown) => {
        stage.tell('time', args);
        return { content: [{ type: 'text', text: 'Noon.' }] };
      });
      const mcpServers = { mine: { type: 'sdk', name: 'mine', instance } };
      await stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ mcpServers }) }));
    },
  },
  served(
    'a server without tools',
    (sdk) => ({ empty: sdk.createSdkMcpServer({ name: 'empty' }) }),
    [mcpMessage('empty', { id: 9, method: 'tools/list' })],
    { accepts: ['mcp-acknowledgement'] },
  ),
  served(
    'servers that are processes or far away are passed on',
    () => ({
      files: { command: 'node', args: ['files.js'], env: { A: 'b' } },
      far: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 'k' } },
      older: { type: 'sse', url: 'http://127.0.0.1:9/sse' },
    }),
    [],
    { accepts: [] },
  ),
  served(
    'servers of both kinds are passed on',
    (sdk, stage) => ({
      files: { type: 'stdio', command: 'node' },
      clock: clock(sdk, stage),
    }),
    [mcpTool('clock', 'time', { city: 'Rome' })],
  ),
  served('no servers at all', () => ({}), [], { accepts: [] }),
  served(
    'a server that asks the user is answered',
    withClock,
    [
      elicit('clock', 'Which zone?', {
        requested_schema: { type: 'object', properties: { zone: { type: 'string' } } },
      }),
    ],
    {
      options: (stage) => ({
        onElicitation: async (request: unknown, { signal, ...rest }: Options) => {
          stage.tell('elicitation', request, signal instanceof AbortSignal, rest);
          return { action: 'accept', content: { zone: 'utc' } };
        },
      }),
    },
  ),
  served('a server that asks the user is declined if there is no callback', withClock, [
    elicit('clock', 'Which zone?'),
  ]),
  served(
    'a dialog is shown',
    withClock,
    [askHost({ subtype: 'request_user_dialog', dialog_kind: 'pick', payload: { a: 1 } })],
    {
      options: (stage) => ({
        supportedDialogKinds: ['pick'],
        onUserDialog: async (request: unknown, { signal, ...rest }: Options) => {
          stage.tell('dialog', request, signal instanceof AbortSignal, rest);
          return { behavior: 'completed', result: { picked: 1 } };
        },
      }),
    },
  ),
  {
    name: 'servers are set while the session runs',
    scenarios: [
      [
        onRequest('mcp_set_servers', [answer({ added: ['clock'], removed: [], errors: {} })]),
        onUser([say('Before.')]),
        onUser([mcpTool('clock', 'time', { city: 'Rome' }), say('After.')]),
      ],
    ],
    run: (sdk, stage) =>
      stage.askBetween((query) => stage.outcome('set', query.setMcpServers({ clock: clock(sdk, stage) }))),
  },
]);
