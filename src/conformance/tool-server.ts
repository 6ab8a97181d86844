import { isObject, type WireObject } from '../protocol/frames.js';
import { list, part } from './reading.js';
import type { ToolCall } from './speech.js';

/** The name of the in-process server that probes offer. */
export const SERVER = 'probe';

/** How the server is named on the command line. */
export const serverConfig = { [SERVER]: { type: 'sdk', name: SERVER } } as const;

/** The tool that gives back what it is told. */
export const ECHO = `mcp__${SERVER}__echo`;

/** The model calls the echo tool, which needs permission. */
export function callEcho(text: string): ToolCall {
  return { type: 'tool_use', name: ECHO, input: { text } };
}

/** Answers a JSON-RPC message as a small in-process server does: one tool that gives back what it is told. */
export function answerRpc(body: WireObject): WireObject {
  const message = part(body, 'message');
  const { id, method } = message;
  if (id === undefined || typeof method !== 'string') return { mcp_response: {} };
  return { mcp_response: { jsonrpc: '2.0', id, result: resultOf(method, part(message, 'params')) } };
}

/** The same server, with its tool declared to change nothing. */
export function answerReadOnly(body: WireObject): WireObject {
  const { id, method } = part(body, 'message');
  if (method !== 'tools/list') return answerRpc(body);
  const tools = [{ ...tool, annotations: { readOnlyHint: true } }];
  return { mcp_response: { jsonrpc: '2.0', id, result: { tools } } };
}

/** A JSON-RPC error as the answer to a message. */
export function rpcError(body: WireObject, text: string): WireObject {
  const { id = null } = part(body, 'message');
  return { mcp_response: { jsonrpc: '2.0', id, error: { code: -32_602, message: text } } };
}

/** The arguments of the tool calls that reached the server. */
export function callsOf(frames: readonly WireObject[]): readonly WireObject[] {
  return frames
    .map((frame) => part(frame, 'request', 'message'))
    .filter(({ method }) => method === 'tools/call')
    .map((message) => part(message, 'params', 'arguments'));
}

function resultOf(method: string, params: WireObject): WireObject {
  if (method === 'initialize') {
    const protocolVersion = params.protocolVersion ?? '2024-11-05';
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: SERVER, version: '1.0.0' } };
  }
  if (method === 'tools/list') return { tools: [tool] };
  if (method === 'tools/call') {
    const { text = 'nothing' } = part(params, 'arguments');
    return { content: [{ type: 'text', text: `echo: ${String(text)}` }] };
  }
  return {};
}

const tool = {
  name: 'echo',
  description: 'Gives back what it is told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
} as const;

/** Whether a list of tools names the echo tool. */
export function namesEcho(value: unknown): boolean {
  return list(value, 'tools').some((name) => name === ECHO || (isObject(name) && name.name === 'echo'));
}
