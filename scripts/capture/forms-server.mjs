// An MCP server on stdio whose tools ask the user by form and by address, with one resource and one prompt.
import { createInterface } from 'node:readline';

const waiting = new Map();
let lastId = 100;

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    serverInfo: { name: 'forms', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: ['form', 'link', 'plain'].map(tool) }),
  'resources/list': () => ({ resources: [{ uri: 'ui://forms/page', name: 'page' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/html', text: 'page' }] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet', description: 'Greets.', arguments: [] }] }),
  'prompts/get': () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Greet.' } }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result);
  else if (method === 'tools/call') call(id, params.name);
  else if (id !== undefined) send({ id, result: results[method]?.(params) ?? {} });
});

function call(id, name) {
  if (name === 'plain') return done(id, 'plain');
  lastId += 1;
  waiting.set(lastId, () => {
    done(id, 'asked');
    if (name === 'link')
      send({ method: 'notifications/elicitation/complete', params: { elicitationId: 'link-1' } });
  });
  return send({ id: lastId, method: 'elicitation/create', params: question(name) });
}

function question(name) {
  if (name === 'link') {
    return { mode: 'url', elicitationId: 'link-1', url: 'http://127.0.0.1/', message: 'Open it.' };
  }
  const properties = { colour: { type: 'string' } };
  return { message: 'Which?', requestedSchema: { type: 'object', properties, required: ['colour'] } };
}

function tool(name) {
  return {
    name,
    description: 'A tool.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };
}

function done(id, text) {
  send({ id, result: { content: [{ type: 'text', text }] } });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
