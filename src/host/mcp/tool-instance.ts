import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { Cancellation } from '../../wire/peer/cancellation.js';
import { DirectCalls } from './direct-calls.js';
import { type LinkFacts, LinkTransport } from './link-transport.js';
import type { McpTransport } from './server-object.js';
import type { Tool, ToolProgress } from './tool.js';
import { runTool } from './tool-call.js';
import { progressNotification, toolUseIdIn } from './tool-progress.js';
import type { ToolSet } from './tool-set.js';

/** Creates a server for one connection and connects it. Loads the MCP package on demand. */
export async function connectTools(set: ToolSet, transport: McpTransport): Promise<void> {
  const { McpServer, fromJsonSchema } = await import('@modelcontextprotocol/server');
  const { version = '1.0.0', instructions } = set.options;
  const server = new McpServer(
    { name: set.name, version },
    instructions === undefined ? {} : { instructions },
  );
  const facts = transport instanceof LinkTransport ? transport.facts : undefined;
  for (const tool of set.tools) {
    const inputSchema = ownSchema(tool) ?? fromJsonSchema(tool.jsonSchema);
    const config = { description: tool.description, inputSchema, ...shownOf(tool) };
    server.registerTool(tool.name, config, (input, context) => run(set, { tool, input, context, facts }));
  }
  await server.connect(transport);
  if (transport instanceof LinkTransport) new DirectCalls(set, transport).stepBefore();
}

/** A schema of the user's library with its JSON Schema, which is read once. */
function ownSchema({ jsonSchema, validate }: Tool): StandardSchemaWithJSON | undefined {
  if (validate === undefined) return undefined;
  const write = () => ({ ...jsonSchema });
  return {
    '~standard': { version: 1, vendor: 'coxswain', validate, jsonSchema: { input: write, output: write } },
  };
}

function shownOf({ annotations, meta }: Tool): object {
  return {
    ...(annotations === undefined ? {} : { annotations }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

interface Call {
  readonly tool: Tool;
  readonly input: unknown;
  readonly context: ServerContext;
  readonly facts: LinkFacts | undefined;
}

async function run(set: ToolSet, { tool, input, context, facts }: Call): Promise<CallToolResult> {
  const { id: requestId, signal, notify, _meta: meta = {} } = context.mcpReq;
  const cancellation = new Cancellation();
  const onAbort = () => cancellation.cancel(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const progress = (done: number, more?: ToolProgress) => {
    const notification = progressNotification(meta, done, more);
    // It does not matter whether the client gets it.
    if (notification !== undefined && !signal.aborted) notify(notification).catch(() => {});
  };
  const told = { session: facts?.session, toolUseId: toolUseIdIn(meta), requestId, meta, progress };
  const result = await runTool(set, { tool, input, cancellation, context: told, facts });
  signal.removeEventListener('abort', onAbort);
  // The package validates the shape before it sends it.
  return result as CallToolResult;
}
