// A web app: a turn as server-sent events, ended when the browser disconnects.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { openSession, type Session } from 'coxswain';
import { emulateCli, onUser, say } from 'coxswain/testing';

const cli = emulateCli([onUser(/Hello/, [say('Hi there.', { chunk: 3 })])], { partialMessages: true });
await using session = await openSession({ transport: cli.transport });

// #region events
async function answer(session: Session, text: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const turn = session.send(text, { signal: gone.signal });
  for await (const piece of turn.textDeltas()) response.write(`data: ${JSON.stringify(piece.text)}\n\n`);
  const { kind } = await turn.outcome;
  response.end(`event: outcome\ndata: ${JSON.stringify(kind)}\n\n`);
}
// #endregion

const server = createServer((request, response) => {
  const text = new URL(request.url ?? '/', 'http://localhost').searchParams.get('text') ?? '';
  void answer(session, text, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
assert(address !== null && typeof address === 'object');
const response = await fetch(`http://127.0.0.1:${address.port}/?text=Hello`);
const events = (await response.text()).trim().split('\n\n');
console.log(events.join('\n'));
assert.equal(events.at(-1), 'event: outcome\ndata: "success"');
assert.equal(
  events
    .slice(0, -1)
    .map((event) => JSON.parse(event.slice('data: '.length)))
    .join(''),
  'Hi there.',
);
server.close();
