import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { LaunchedCli } from '../../core/connection/launch.js';
import { OpenError } from '../../core/connection/open-error.js';

/** The servers that must be connected before the first message: their names, optionally with a time limit. */
export type WaitForServers =
  | readonly string[]
  | { readonly names: readonly string[]; readonly timeoutMs?: number | undefined };

/** What an error says about the CLI. */
type CliTraces = Pick<LaunchedCli, 'commandLine' | 'stderrTail' | 'debugLog'>;

/** The dependencies of the wait. */
export interface WaitParts {
  /** Asks the CLI for its servers, within this time. */
  readonly askStatus: (deadlineMs: number) => Promise<WireObject>;
  readonly clock: Clock;
}

/** How long servers may take by default. */
const DEFAULT_WAIT_MS = 30_000;
/** How long to wait between two checks; the CLI reports nothing on its own. */
const POLL_MS = 100;

/** The states from which a server never connects on its own. */
const OVER: ReadonlySet<unknown> = new Set(['failed', 'needs-auth', 'disabled']);

/**
 * Waits until all the named servers are connected.
 * @throws OpenError `MCP_NOT_READY` naming those that are not, immediately when one has failed.
 */
export async function waitToOpen(
  wanted: WaitForServers,
  { askStatus, clock }: WaitParts,
  cli: CliTraces,
): Promise<void> {
  const { names, timeoutMs = DEFAULT_WAIT_MS } = isList(wanted) ? { names: wanted } : wanted;
  const until = clock.now() + timeoutMs;
  for (;;) {
    // A CLI that does not answer counts like one that lists no servers.
    const rows = rowsOf(await askStatus(Math.max(1, until - clock.now())).catch(nothingKnown));
    const missing = names.filter((name) => rows.get(name)?.status !== 'connected');
    if (missing.length === 0) return;
    if (missing.some((name) => OVER.has(rows.get(name)?.status)) || clock.now() >= until) {
      const which = missing.map((name) => describeRow(name, rows.get(name))).join(', ');
      const what = `These MCP servers are not connected: ${which}. The session waited up to ${timeoutMs} ms.`;
      throw notReady(what, missing, cli);
    }
    await new Promise<void>((resolve) => clock.after(Math.min(POLL_MS, until - clock.now()), resolve));
  }
}

function nothingKnown(error: unknown): WireObject {
  if (isTimeout(error)) return {};
  throw error;
}

/** Whether a request was not answered in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof CoxswainError && error.code === 'REQUEST_TIMEOUT';
}

/** The named servers in a list of the CLI, by name. */
export function rowsOf({ mcpServers, mcp_servers: inInit }: WireObject): ReadonlyMap<string, WireObject> {
  const list: unknown = mcpServers ?? inInit;
  const rows = Array.isArray(list) ? list.filter(isObject) : [];
  return new Map(rows.map((row) => [String(row.name), row]));
}

/** Describes a server and its state. */
export function describeRow(name: string, row: WireObject | undefined): string {
  if (row === undefined) return `"${name}" (not listed by the CLI yet)`;
  return typeof row.error === 'string'
    ? `"${name}" (${row.status}: ${row.error})`
    : `"${name}" (${String(row.status)})`;
}

/** The error of an open that failed because of some servers. */
export function notReady(
  what: string,
  servers: readonly string[],
  { commandLine, stderrTail, debugLog }: CliTraces,
): OpenError {
  return new OpenError('MCP_NOT_READY', what, {
    phase: 'handshaking',
    commandLine,
    stderrTail: stderrTail?.() ?? '',
    noise: [],
    mcpServersPending: servers,
    debugLog,
  });
}

function isList(wanted: WaitForServers): wanted is readonly string[] {
  return Array.isArray(wanted);
}
