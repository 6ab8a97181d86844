import type { WireObject } from '../../wire/protocol/frames.js';
import type { ToolUseBlock } from '../testing/model/replies.js';
import { part } from './reading.js';

/** The name of the in-process server that probes provide. */
export const SERVER = 'probe';

/** The server's entry on the command line. */
export const serverConfig = { [SERVER]: { type: 'sdk', name: SERVER } } as const;

/** The tool that most probes use: it returns its input. */
export const ECHO = `mcp__${SERVER}__echo`;

/** Tools that do the same, for probes that leave a rule in place. */
export const SECOND = `mcp__${SERVER}__second`;
export const THIRD = `mcp__${SERVER}__third`;

/** A tool that declares itself read-only. */
export const PEEK = `mcp__${SERVER}__peek`;

/** The model calls a tool of the server; all of them need permission. */
export function callTool(name: string, text = 'one'): ToolUseBlock {
  return { type: 'tool_use', name, input: { text } };
}

/** The model calls the echo tool. */
export function callEcho(text: string): ToolUseBlock {
  return callTool(ECHO, text);
}

/** Answers a JSON-RPC message like a small in-process server: its tools return their input. */
export function answerRpc(body: WireObject): WireObject {
  const message = part(body, 'message');
  const { id, method } = message;
  if (id === undefined || typeof method !== 'string') return { mcp_response: {} };
  return { mcp_response: { jsonrpc: '2.0', id, result: resultOf(method, part(message, 'params')) } };
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
  if (method === 'tools/list') return { tools };
  if (method === 'tools/call') {
    const { text = 'nothing' } = part(params, 'arguments');
    return { content: [{ type: 'text', text: `echo: ${String(text)}` }] };
  }
  return {};
}

const tools = ['echo', 'second', 'third', 'peek'].map((name) => ({
  name,
  description: 'Returns its input.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...(name === 'peek' ? { annotations: { readOnlyHint: true } } : {}),
}));
