import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isObject, objectsIn, type WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import type { Cli } from '../cli.js';
import { delay } from '../pipes/timing.js';
import type { ServerState } from '../session-state.js';
import { OF_2_1_326 } from '../versions/traits.js';
import { askForm } from './forms.js';
import { ServerProcess } from './server-process.js';

/** How long an in-process server may take to answer, on old and on newer versions. */
const PATIENCE_MS = { old: 60_000, newer: 30_000 } as const;

/** A newly declared server that is not connected yet. */
export function newServer(
  name: string,
  { kind, from, config }: Pick<ServerState, 'kind' | 'from' | 'config'>,
): ServerState {
  return {
    name,
    kind,
    from,
    config,
    status: 'pending',
    serverInfo: undefined,
    tools: [],
    error: undefined,
    handshake: undefined,
    retried: false,
    hasResources: false,
    process: undefined,
  };
}

/** Initializes every server that needs it; resolves when those that this version waits for are done. */
export async function connectServers(
  cli: Cli,
  isMeant: (server: ServerState) => boolean = () => true,
): Promise<void> {
  for (const server of cli.state.servers.values()) {
    if (server.status !== 'disabled' && isMeant(server)) server.handshake ??= completeHandshake(cli, server);
  }
  await waitForServers(cli, ({ kind }) => kind === 'sdk' || !cli.traits.answersBeforeServers);
}

/** Waits until process servers have started or failed. */
export async function waitForProcesses(cli: Cli): Promise<void> {
  await waitForServers(cli, ({ kind }) => kind === 'process');
}

/** Ends a server's process and forgets what it offered. */
export function stopServer(server: ServerState): void {
  server.process?.end();
  server.process = undefined;
  server.handshake = undefined;
  server.tools = [];
}

/** The first step of a turn: newer versions initialize a failed server again. */
export async function connectForTurn(cli: Cli): Promise<void> {
  await connectServers(cli);
  if (!cli.traits.detailed) return;
  for (const server of cli.state.servers.values()) {
    if (server.kind !== 'sdk' || server.status !== 'failed' || server.retried) continue;
    server.retried = true;
    server.handshake = completeHandshake(cli, server);
  }
  await waitForServers(cli, ({ kind }) => kind === 'sdk');
}

async function waitForServers({ state }: Cli, isMeant: (server: ServerState) => boolean): Promise<void> {
  await Promise.all([...state.servers.values()].filter(isMeant).map(({ handshake }) => handshake));
}

/** Sends one JSON-RPC message to a server; returns the JSON-RPC answer, or an error in its shape. */
export async function callMcpServer(
  cli: Cli,
  server: string,
  request: WireObject,
  signal?: AbortSignal,
): Promise<unknown> {
  const over = new AbortController();
  const { process: own } = cli.state.servers.get(server) ?? {};
  const message = own === undefined ? numbered(cli, request) : request;
  try {
    const body = { subtype: 'mcp_message', server_name: server, message };
    // Neither an interrupt nor a timeout withdraws the request; the server gets a separate notification.
    const value = await Promise.race([
      own === undefined ? cli.ask(body) : own.call(message),
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

/** Since 2.1.326, the ids of requests to in-process servers are texts. */
function numbered({ traits, state }: Cli, message: WireObject): WireObject {
  if (message.id === undefined || !traits.hasCapability(OF_2_1_326)) return message;
  return { ...message, id: `${state.sessionId.slice(0, 8)}:${message.id}` };
}

/** Starts the process of a server that has one. */
function startProcess(cli: Cli, server: ServerState): void {
  const { config, name } = server;
  const own = new ServerProcess(config, cli.state.cwd, (method, params) =>
    serveServer(cli, name, method, params),
  );
  server.process = own;
  cli.exited.addEventListener('abort', () => own.end(), { once: true });
}

/** What process servers may request: forms for the user. */
async function serveServer(
  cli: Cli,
  server: string,
  method: string,
  params: WireObject,
): Promise<WireObject> {
  const turn = cli.turns.current;
  if (method === 'ping') return {};
  if (method !== 'elicitation/create' || turn === undefined || !cli.traits.elicits)
    throw new Error('Method not found');
  const { message, requestedSchema } = params;
  const fields = { requested_schema: requestedSchema };
  const answer = await askForm({ cli, turn }, { server, message: String(message), fields });
  return isObject(answer) && typeof answer.action === 'string' ? answer : { action: 'cancel' };
}

/** Assumes that a server exists, unless its program plainly does not. */
function takeForGranted(server: ServerState): void {
  const { command } = server.config;
  const isMissing = typeof command === 'string' && isAbsolute(command) && !existsSync(command);
  server.status = isMissing ? 'failed' : 'connected';
  server.error = isMissing ? `spawn ${command} ENOENT` : undefined;
  server.serverInfo = isMissing ? undefined : { name: server.name, version: '1.0.0' };
}

async function completeHandshake(cli: Cli, server: ServerState): Promise<void> {
  if (server.kind === 'process') {
    // Remote servers are never called: nothing leaves this machine.
    if (!cli.state.startsServers || typeof server.config.command !== 'string') {
      takeForGranted(server);
      return;
    }
    startProcess(cli, server);
  }
  const { process: own } = server;
  const hello = await callMcpServer(cli, server.name, {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: server.kind === 'process' && cli.traits.elicits ? { elicitation: {} } : {},
      clientInfo: { name: 'claude-code', version: cli.traits.version, ...(cli.traits.detailed ? ABOUT : {}) },
    },
  });
  // A server that was disabled meanwhile is not the same one any more.
  if (server.process !== own) return;
  if (!isObject(hello) || !isObject(hello.result)) {
    fail(server, hello);
    return;
  }
  const { serverInfo, capabilities } = hello.result;
  server.serverInfo = isObject(serverInfo) ? serverInfo : undefined;
  server.hasResources = isObject(capabilities) && isObject(capabilities.resources);
  const noted = await callMcpServer(cli, server.name, {
    jsonrpc: '2.0',
    method: 'notifications/initialized',
  });
  if (isObject(noted) && isObject(noted.error)) {
    fail(server, noted);
    return;
  }
  await listTools(cli, server.name, 1);
  if (server.process !== own) return;
  server.status = 'connected';
  server.connectedAt = cli.clock.now();
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
  const { process: own } = cli.state.servers.get(server) ?? {};
  if (own !== undefined) await own.call(message);
  else await cli.ask({ subtype: 'mcp_message', server_name: server, message }).catch(() => {});
}
