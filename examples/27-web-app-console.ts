// A web app on a console server: the page's EventSource continues after the last event it saw when its connection breaks.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startConsole } from 'coxswain/console';
import { emulateCli, onUser, say } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'web-app-example-'));
const scenario = [onUser(/Hello/, [say('Hi there.')]), onUser(/Bye/, [say('See you.')])];
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
});
const api = `${server.origin}/api/v1`;
const key = server.token;

// #region follow
/** Passes the events of a conversation on to a page. The key stays on the server. */
async function follow(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const last = request.headers['last-event-id'];
  const events = await fetch(`${api}/conversations/${id}/events`, {
    signal: gone.signal,
    headers: { authorization: `Bearer ${key}`, ...(last !== undefined && { 'last-event-id': String(last) }) },
  });
  response.writeHead(events.status, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await pipeline(Readable.from(events.body ?? []), response);
}
// #endregion

const post = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) });
  assert(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
};
const { id } = (await post('/conversations', { cwd: folder })) as { id: string };
await post(`/conversations/${id}/messages`, { content: 'Hello' });

const app = createServer((request, response) => {
  // A page that disconnects ends its request with an error that can be ignored.
  follow(id, request, response).catch(() => response.end());
});
await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
const address = app.address();
assert(address !== null && typeof address === 'object');

/** Does what an EventSource does: reads whole events, and sends the last id when it reconnects. */
async function readUntil(word: string, last?: number): Promise<readonly number[]> {
  const gone = new AbortController();
  const response = await fetch(`http://127.0.0.1:${(address as { port: number }).port}/`, {
    signal: gone.signal,
    ...(last !== undefined && { headers: { 'last-event-id': String(last) } }),
  });
  let whole = '';
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += chunk;
    const end = rest.lastIndexOf('\n\n') + 2;
    if (end > 1) whole += rest.slice(0, end);
    if (end > 1) rest = rest.slice(end);
    if (whole.includes(word)) break;
  }
  gone.abort();
  return [...whole.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
}

const before = await readUntil('Hi there.');
await post(`/conversations/${id}/messages`, { content: 'Bye' });
const after = await readUntil('See you.', before.at(-1));
const all = [...before, ...after];
// No event is missing or repeated.
assert.deepEqual(
  all,
  all.map((_, index) => index + 1),
);
console.log(`${all.length} events, none missing or repeated`);

app.close();
app.closeAllConnections();
await server.close();
await rm(folder, { recursive: true });
