/** An MCP server for probes, as a program for `node -e`: its one tool tells the process id. */
const PROGRAM = `
const tool = { name: 'whoami', description: 'Tells the process id', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'pid', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'pid ' + process.pid }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const make = results[method];
  const answer = make ? { result: make(params) } : { error: { code: -32601, message: 'unknown method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});`;

/** How the MCP server of the probes is reached. */
export const probeServer = { command: process.execPath, args: ['-e', PROGRAM] };

/** Its tool, as the model names it. */
export const PROBE_TOOL = 'mcp__probe__whoami';
