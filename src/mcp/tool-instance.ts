import type { CallToolResult, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { errorText } from '../util/error-text.js';
import { type LinkFacts, LinkTransport } from './link-transport.js';
import type { McpTransport } from './server-object.js';
import type { Tool, ToolContext, ToolProgress } from './tool.js';
import { callTool } from './tool-call.js';
import type { ToolSet } from './tool-set.js';

/** Makes a server of its own for one connection and connects it. The MCP package is loaded here and not before. */
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
}

/** A schema of the user's library with the JSON Schema that was read from it once. */
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
  const result = await callTool(tool, input, {
    context: toolContext(context, facts),
    timeoutMs: tool.timeoutMs ?? set.options.timeoutMs,
    clock: set.clock,
    onFailure: (error) =>
      facts?.onDiagnostic({
        code: 'MCP_TOOL_FAILED',
        message: `Tool "${tool.name}" of MCP server "${set.name}" failed: ${errorText(error)}`,
        server: set.name,
        tool: tool.name,
        error,
      }),
  });
  // The package checks the shape before it sends it.
  return result as CallToolResult;
}

function toolContext({ mcpReq }: ServerContext, facts: LinkFacts | undefined): ToolContext {
  const { signal, _meta: meta = {} } = mcpReq;
  const toolUseId = meta['claudecode/toolUseId'];
  return {
    signal,
    session: facts?.session,
    toolUseId: typeof toolUseId === 'string' ? toolUseId : undefined,
    progress: (done, more) => void tellProgress(mcpReq, done, more),
  };
}

/** Only a client that gave a token wants to hear; nothing depends on whether it does. */
async function tellProgress(
  { _meta: meta, notify, signal }: ServerContext['mcpReq'],
  done: number,
  { total, message }: ToolProgress = {},
): Promise<void> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined || signal.aborted) return;
  const more = { ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
  await notify({
    method: 'notifications/progress',
    params: { progressToken, progress: done, ...more },
  }).catch(() => {});
}
