import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isObject, objectsIn, type WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import type { Cli } from '../cli.js';
import { delay } from '../pipes/timing.js';
import type { ServerState } from '../session-state.js';

/** How long an in-process server may take to answer on old and on newer versions. */
const PATIENCE_MS = { old: 60_000, newer: 30_000 } as const;

/** A server that was just named and is not connected yet. */
export function newServer(
  name: string,
  { kind, from, config }: Pick<ServerState, 'kind' | 'from' | 'config'>,
): ServerState {
  const missing = kind === 'process' ? missingCommand(config) : undefined;
  return {
    name,
    kind,
    from,
    config,
    status: kind === 'sdk' ? 'pending' : missing === undefined ? 'connected' : 'failed',
    serverInfo: kind === 'sdk' || missing !== undefined ? undefined : { name, version: '1.0.0' },
    tools: [],
    error: missing === undefined ? undefined : `spawn ${missing} ENOENT`,
    handshake: undefined,
    retried: false,
  };
}

/** Servers in processes are not started; one whose program is plainly not there has failed. */
function missingCommand({ command }: WireObject): string | undefined {
  return typeof command === 'string' && isAbsolute(command) && !existsSync(command) ? command : undefined;
}

/** Shakes hands with every in-process server that has not done it; resolves when all are through. */
export async function connectServers(cli: Cli): Promise<void> {
  for (const server of cli.state.servers.values()) {
    if (server.kind === 'sdk' && server.status !== 'disabled') server.handshake ??= shakeHands(cli, server);
  }
  await waitForServers(cli);
}

/** What a turn does first: newer versions greet a failed server once more. */
export async function connectForTurn(cli: Cli): Promise<void> {
  await connectServers(cli);
  if (!cli.traits.detailed) return;
  for (const server of cli.state.servers.values()) {
    if (server.kind !== 'sdk' || server.status !== 'failed' || server.retried) continue;
    server.retried = true;
    server.handshake = shakeHands(cli, server);
  }
  await waitForServers(cli);
}

async function waitForServers(cli: Cli): Promise<void> {
  await Promise.all([...cli.state.servers.values()].map(({ handshake }) => handshake));
}

/** Sends one JSON-RPC message to an in-process server; gives the JSON-RPC answer, or an error in its shape. */
export async function callMcpServer(
  cli: Cli,
  server: string,
  message: WireObject,
  signal?: AbortSignal,
): Promise<unknown> {
  const over = new AbortController();
  try {
    const body = { subtype: 'mcp_message', server_name: server, message };
    // Neither an interrupt nor the time withdraws the request; the server is told by a notification of its own.
    const value = await Promise.race([
      cli.ask(body),
      tooLate(cli, over.signal),
      aborted(signal, over.signal),
    ]);
    return isObject(value) && 'mcp_response' in value ? value.mcp_response : value;
  } catch (error) {
    if (signal?.aborted) {
      void tellCancelled(cli, server, message);
      throw error;
    }
    return { error: { code: -32000, message: errorText(error) } };
  } finally {
    over.abort();
  }
}

async function shakeHands(cli: Cli, server: ServerState): Promise<void> {
  const hello = await callMcpServer(cli, server.name, {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: cli.traits.version, ...(cli.traits.detailed ? ABOUT : {}) },
    },
  });
  if (!isObject(hello) || !isObject(hello.result)) {
    fail(server, hello);
    return;
  }
  server.serverInfo = isObject(hello.result.serverInfo) ? hello.result.serverInfo : undefined;
  const noted = await callMcpServer(cli, server.name, {
    jsonrpc: '2.0',
    method: 'notifications/initialized',
  });
  if (isObject(noted) && isObject(noted.error)) {
    fail(server, noted);
    return;
  }
  await listTools(cli, server.name, 1);
  server.status = 'connected';
}

/** Asks an in-process server for its tools. */
export async function listTools(cli: Cli, name: string, id = cli.state.nextRpcId++): Promise<void> {
  const list = await callMcpServer(cli, name, { jsonrpc: '2.0', id, method: 'tools/list' });
  const tools = isObject(list) && isObject(list.result) ? list.result.tools : undefined;
  const server = cli.state.servers.get(name);
  if (server !== undefined) server.tools = objectsIn(tools);
}

const ABOUT = {
  title: 'Claude Code',
  description: 'An emulated CLI',
  websiteUrl: 'https://localhost/',
} as const;

function fail(server: ServerState, answer: unknown): void {
  server.status = 'failed';
  server.error =
    isObject(answer) && isObject(answer.error) ? String(answer.error.message) : 'no valid answer';
}

function tooLate({ clock, state, traits, exited }: Cli, over: AbortSignal): Promise<never> {
  const usual = traits.detailed ? PATIENCE_MS.newer : PATIENCE_MS.old;
  const ms = traits.heedsMcpTimeout ? (state.mcpTimeoutMs ?? usual) : usual;
  return delay(clock, ms, AbortSignal.any([exited, over])).then(() => {
    throw new Error(`no answer within ${ms} ms`);
  });
}

function aborted(signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });
}

async function tellCancelled(cli: Cli, server: string, { id }: WireObject): Promise<void> {
  if (id === undefined) return;
  const params = { requestId: id, reason: 'interrupted' };
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  await cli.ask({ subtype: 'mcp_message', server_name: server, message }).catch(() => {});
}
