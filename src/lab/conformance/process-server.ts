/** The name of the stdio MCP server that probes provide. */
export const PROCESS_SERVER = 'forms';

/** The configuration of a server that reads but never answers. */
export const muteServer = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] } as const;

/** A tool of the server that answers immediately. */
export const PLAIN_TOOL = `mcp__${PROCESS_SERVER}__plain`;

/** A tool of the server that first shows the user a form, and returns its outcome. */
export const FORM_TOOL = `mcp__${PROCESS_SERVER}__form`;

/** That form. */
const FORM_SCHEMA = {
  type: 'object',
  properties: { colour: { type: 'string' } },
  required: ['colour'],
} as const;

/** The server's only resource. */
export const RESOURCE_URI = 'ui://forms/page';

const SERVER_PROGRAM = `
const waiting = new Map();
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const text = (id, value) => send({ id, result: { content: [{ type: 'text', text: value }] } });
const tool = (name) => ({ name, description: 'A tool.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'forms', version: '1.0.0' } }),
  'tools/list': () => ({ tools: ['plain', 'form'].map(tool) }),
  'resources/list': () => ({ resources: [{ uri: '${RESOURCE_URI}', name: 'page' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/html', text: 'page' }] }),
};
const form = { message: 'Which?', requestedSchema: ${JSON.stringify(FORM_SCHEMA)} };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result ? result.action : 'error ' + error.code);
  else if (method === 'tools/call' && params.name === 'form') {
    waiting.set(100, (action) => text(id, 'form: ' + action));
    send({ id: 100, method: 'elicitation/create', params: form });
  } else if (method === 'tools/call') text(id, process.env.COXSWAIN_WORD || 'plain');
  else if (method === 'initialize') setTimeout(() => send({ id, result: results.initialize(params) }), Number(process.env.COXSWAIN_WAIT_MS || 0));
  else if (id !== undefined) send({ id, result: (results[method] ?? (() => ({})))(params) });
});`;

/** The configuration of that server: a few lines that Node runs from its command line. */
export const processServer = { command: process.execPath, args: ['-e', SERVER_PROGRAM] } as const;

/** How long {@link slowServer} takes to connect, in milliseconds. */
export const SLOW_MS = 1_000;

/** The same server, with a slow connection. */
export const slowServer = { ...processServer, env: { COXSWAIN_WAIT_MS: String(SLOW_MS) } } as const;

/** The same server, with another answer. */
export const otherServer = { ...processServer, env: { COXSWAIN_WORD: 'other' } } as const;
