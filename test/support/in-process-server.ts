import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';

/** The smallest MCP server: one tool, `now`, and an answer to everything else. */
export function inProcessServer(message: unknown): WireObject {
  if (!isObject(message)) throw new Error('not a JSON-RPC message');
  const { id = 0, method } = message;
  return { jsonrpc: '2.0', id, result: resultOf(String(method)) };
}

function resultOf(method: string): WireObject {
  if (method === 'initialize') {
    const serverInfo = { name: 'clock', version: '1.0.0' };
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') {
    return { tools: [{ name: 'now', description: 'Tells the time', inputSchema: { type: 'object' } }] };
  }
  return method === 'tools/call' ? { content: [{ type: 'text', text: 'noon' }] } : {};
}
