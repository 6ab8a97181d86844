import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { isObject, objectsIn } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { OtherHost } from '../../core/connection/launch.js';
import type { Call, ControlAnswer } from '../controls/call.js';
import type { CliFacts } from '../endpoints/cli-facts.js';
import type { SupportKind } from '../endpoints/endpoint-table.js';

/** The states of an MCP server; newer CLIs may have more. */
export type McpServerState = 'connected' | 'pending' | 'failed' | 'needs-auth' | 'disabled' | (string & {});

/** The result of reconnecting, disabling or enabling a server. The shape is the same on every CLI. */
export interface McpServerAnswer {
  /** Whether it worked. */
  readonly success: boolean;
  /** The server. */
  readonly serverName: string;
  /** Null if the CLI does not report it. */
  readonly status: McpServerState | null;
  /** Null if the CLI does not report it. */
  readonly toolsCount: number | null;
  /** The CLI's reason if it did not succeed. */
  readonly error: string | null;
  /** How the CLI did it. */
  readonly how: Exclude<SupportKind, 'no'>;
  /** True if the CLI writes it to the user settings of the folder, so it outlives the session. */
  readonly remembered: boolean;
}

/** One server as the CLI lists it. */
export type StatusRow = ControlAnswer<'mcp_status'>['mcpServers'][number];

/** Asks the CLI for its current servers. */
export async function listRows(
  call: Call,
  options: RequestOptions | undefined,
): Promise<readonly StatusRow[]> {
  const { mcpServers } = await call('mcp_status', {}, options);
  return Array.isArray(mcpServers) ? mcpServers : [];
}

/** The list of another host, in the format of a CLI's; its rows contain more. */
export async function statusOf(
  host: OtherHost,
  options: RequestOptions | undefined,
): Promise<ControlAnswer<'mcp_status'>> {
  const { servers } = await host.ask('mcp.status', {}, options);
  return { mcpServers: objectsIn(servers) as unknown as StatusRow[] };
}

/**
 * The list of a CLI that does not know servers which the session removed until they are enabled, and leaves out
 * in-process servers until it has initialised them: old CLIs do that with the first message.
 */
export function withUnlisted(
  answer: ControlAnswer<'mcp_status'>,
  { off, inProcess }: { readonly off: Iterable<string>; readonly inProcess: readonly string[] },
): ControlAnswer<'mcp_status'> {
  const listed = Array.isArray(answer.mcpServers) ? answer.mcpServers : [];
  const rows = new Map<string, StatusRow>();
  for (const name of inProcess) rows.set(name, { name, status: 'pending' });
  for (const name of off) rows.set(name, { name, status: 'disabled' });
  for (const { name } of listed) rows.delete(name);
  return rows.size === 0 ? answer : { ...answer, mcpServers: [...listed, ...rows.values()] };
}

/** Asks the CLI for its current servers, and finds one of them. */
export async function findRow(
  call: Call,
  server: string,
  options: RequestOptions | undefined,
): Promise<StatusRow | undefined> {
  return (await listRows(call, options)).find(({ name }) => name === server);
}

/** The error for a server that the CLI does not list. */
export function unknownServer(server: string, rows: readonly StatusRow[], cause?: unknown): CoxswainError {
  const known = rows.map(({ name }) => name).join(', ') || 'none';
  const message = `The CLI has no MCP server "${server}"; it has: ${known}.`;
  return new CoxswainError('MCP_SERVER_UNKNOWN', message, cause === undefined ? {} : { cause });
}

/** @throws CoxswainError `MCP_SERVER_UNKNOWN` for a server that neither the CLI nor the session knows. */
export async function checkServer({ server, call, facts, options }: ServerRequest): Promise<void> {
  const rows = await listRows(call, options);
  const isThere = rows.some(({ name }) => name === server) || facts.servers.list.find(server) !== undefined;
  if (!isThere) throw unknownServer(server, rows);
}

/** The parts of a request about one server. */
export interface ServerRequest {
  readonly server: string;
  readonly call: Call;
  readonly facts: CliFacts;
  readonly options: RequestOptions | undefined;
}

/** CLIs refuse unknown servers with different messages, which become one error. Other errors are thrown unchanged. */
export async function refusedRow(
  error: unknown,
  { server, call, facts, options }: ServerRequest,
): Promise<{ readonly row: StatusRow | undefined; readonly reason: string }> {
  if (!(error instanceof RefusedError)) throw error;
  const rows = await listRows(call, options);
  const row = rows.find(({ name }) => name === server);
  if (row === undefined && facts.servers.list.find(server) === undefined)
    throw unknownServer(server, rows, error);
  return { row, reason: error.reason };
}

/** The contents of a status row. */
export function rowFacts(
  row: StatusRow | undefined,
): Pick<McpServerAnswer, 'status' | 'toolsCount' | 'error'> {
  const status = row?.status ?? null;
  return {
    status,
    toolsCount: status === 'disabled' ? 0 : (row?.tools?.length ?? null),
    error: row?.error ?? null,
  };
}

/** Reads the answer of a patched CLI. */
export function patchedAnswer(value: unknown, serverName: string): McpServerAnswer {
  const answer: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  const { success, status, toolsCount, error } = answer;
  return {
    success: success === true,
    serverName,
    status: typeof status === 'string' ? status : null,
    toolsCount: typeof toolsCount === 'number' ? toolsCount : null,
    error: typeof error === 'string' ? error : null,
    how: 'patched',
    remembered: false,
  };
}
