// The host's side of an in-process MCP server with one tool.

/** The answer to an `mcp_message` request of the CLI. */
export function clockServer({ message: { id = 0, method, params } }) {
  return { mcp_response: { jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} } };
}

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'clock', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'now', description: 'The time.', inputSchema: { type: 'object' } }],
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'noon' }] }),
};
