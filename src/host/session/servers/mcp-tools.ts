import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Call } from '../controls/call.js';
import type { CliFacts, GetFacts } from '../endpoints/cli-facts.js';
import { resolveEndpoint, unsupported } from '../endpoints/resolve.js';
import { listRows, unknownServer } from './mcp-answer.js';

/** A tool of an MCP server. What the CLI does not tell is absent. */
export interface McpTool {
  /** The name that the server gave it. */
  readonly name: string;
  readonly serverName: string;
  readonly description?: string;
  readonly inputSchema?: WireObject;
  /** Named as CLIs do: `readOnly`, `destructive`, `openWorld`. */
  readonly annotations?: WireObject;
}

/** The tools of one MCP server, or of all. */
export interface McpToolsAnswer {
  /** Null when all servers were asked for. */
  readonly serverName: string | null;
  readonly tools: readonly McpTool[];
  readonly count: number;
}

/** Lists the tools of one server, or of all, the way that the CLI at hand can. */
export async function listTools(
  server: string | undefined,
  { call, facts: getFacts, options }: { call: Call; facts: GetFacts; options: RequestOptions | undefined },
): Promise<McpToolsAnswer> {
  const facts = await getFacts();
  const served = resolveEndpoint('mcp_tools', facts);
  if (served.how === 'patched') return askPatched(server, call, options);
  const own = server === undefined ? undefined : facts.ownTools(server);
  if (own !== undefined) return answer(server, await own);
  if (served.how === 'no') throw unsupported('mcp_tools', facts, served.help ?? '', server);
  return readStatus(server, { call, facts, options });
}

async function askPatched(
  server: string | undefined,
  call: Call,
  options: RequestOptions | undefined,
): Promise<McpToolsAnswer> {
  const { tools } = await call('mcp_tools', { server_name: server }, options);
  return answer(
    server,
    (Array.isArray(tools) ? tools : []).map((tool) => toTool(String(tool.server_name ?? server), tool)),
  );
}

async function readStatus(
  server: string | undefined,
  { call, facts, options }: { call: Call; facts: CliFacts; options: RequestOptions | undefined },
): Promise<McpToolsAnswer> {
  const all = await listRows(call, options);
  const rows = all.filter(({ name }) => server === undefined || name === server);
  if (server !== undefined && rows.length === 0) throw unknownServer(server, all);
  const lists = await Promise.all(
    rows.map(
      async ({ name, tools = [] }) => (await facts.ownTools(name)) ?? tools.map((tool) => toTool(name, tool)),
    ),
  );
  return answer(server, lists.flat());
}

/** Reads a tool from what a CLI or a server tells of it. */
export function toTool(serverName: string, tool: WireObject): McpTool {
  const { name, description, inputSchema, annotations } = tool;
  return {
    name: String(name),
    serverName,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(inputSchema) ? { inputSchema } : {}),
    ...(isObject(annotations) ? { annotations: asCliNames(annotations) } : {}),
  };
}

/** Servers say `readOnlyHint` where CLIs say `readOnly`. */
function asCliNames(annotations: WireObject): WireObject {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [key.replace(/Hint$/, ''), value]),
  );
}

function answer(server: string | undefined, tools: readonly McpTool[]): McpToolsAnswer {
  return { serverName: server ?? null, tools, count: tools.length };
}
