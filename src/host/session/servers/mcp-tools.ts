import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import type { OtherHost } from '../../core/connection/launch.js';
import type { Call } from '../controls/call.js';
import type { CliFacts, GetFacts } from '../endpoints/cli-facts.js';
import { having } from '../endpoints/endpoint-table.js';
import { resolveEndpoint, unsupported } from '../endpoints/resolve.js';
import { checkServer, listRows, refusedRow, type ServerRequest, unknownServer } from './mcp-answer.js';

/** A tool of an MCP server. Details that the CLI does not report are absent. */
export interface McpTool {
  /** The name on the server. */
  readonly name: string;
  /** The server of the tool. */
  readonly serverName: string;
  /** The description that the model sees. */
  readonly description?: string;
  /** The JSON Schema of its input. */
  readonly inputSchema?: WireObject;
  /** Named as CLIs do: `readOnly`, `destructive`, `openWorld`. */
  readonly annotations?: WireObject;
}

/** The tools of one MCP server, or of all. */
export interface McpToolsAnswer {
  /** Null if you asked for all servers. */
  readonly serverName: string | null;
  /** The tools. */
  readonly tools: readonly McpTool[];
  /** The number of tools. */
  readonly count: number;
  /** The servers for which the CLI reports only tool names and annotations, without descriptions and schemas. */
  readonly namesOnly: readonly string[];
}

/** Lists the tools of one server or of all, in the way that the current CLI supports. */
export async function listTools(
  server: string | undefined,
  { call, facts: getFacts, options }: { call: Call; facts: GetFacts; options: RequestOptions | undefined },
): Promise<McpToolsAnswer> {
  const facts = await getFacts();
  if (facts.otherHost !== undefined) return askOther(server, facts.otherHost, facts, options);
  if (server !== undefined && facts.dynamic.isOff(server)) return answer(server, []);
  const served = resolveEndpoint('mcp_tools', facts);
  if (served.how === 'patched') return askPatched(server, { call, facts, options });
  const own = server === undefined ? undefined : facts.ownTools(server);
  if (own !== undefined) return answer(server, await own);
  if (served.how === 'equivalent') {
    const listed = await readStatus(server, { call, facts, options });
    // A CLI of unknown version may have left them out.
    if (listed.count > 0 || facts.capabilities.has('listsToolsInStatus')) return listed;
    throw unsupported('mcp_tools', facts, `It listed no tools. Use ${having('listsToolsInStatus')}.`, server);
  }
  if (server !== undefined) await checkServer({ server, call, facts, options });
  throw unsupported('mcp_tools', facts, served.help ?? '', server);
}

/** Another host knows our in-process servers by name only. */
async function askOther(
  server: string | undefined,
  host: OtherHost,
  { ownTools, servers }: CliFacts,
  options: RequestOptions | undefined,
): Promise<McpToolsAnswer> {
  const own = server === undefined ? undefined : ownTools(server);
  if (own !== undefined) return answer(server, await own);
  const { tools } = await host.ask('mcp.tools', server === undefined ? {} : { server }, options);
  const names = server === undefined ? servers.bridge.names : [];
  const others = objectsIn(tools)
    .map((tool) => toTool(String(tool.serverName), tool))
    .filter(({ serverName }) => !names.includes(serverName));
  const ours = await Promise.all(names.map((name) => ownTools(name) ?? []));
  return answer(server, [...others, ...ours.flat()]);
}

type ToolsRequest = Omit<ServerRequest, 'server'>;

async function askPatched(server: string | undefined, request: ToolsRequest): Promise<McpToolsAnswer> {
  const { call, options } = request;
  try {
    const { tools } = await call('mcp_tools', { server_name: server }, options);
    return answer(
      server,
      objectsIn(tools).map((tool) => toTool(String(tool.server_name ?? server), tool)),
    );
  } catch (error) {
    if (server !== undefined) await refusedRow(error, { ...request, server });
    throw error;
  }
}

async function readStatus(
  server: string | undefined,
  { call, facts, options }: ToolsRequest,
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

/** Reads a tool as reported by a CLI or a server. */
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
  const namesOnly = tools.flatMap((tool) => (tool.inputSchema === undefined ? [tool.serverName] : []));
  return { serverName: server ?? null, tools, count: tools.length, namesOnly: [...new Set(namesOnly)] };
}
