import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { type BodyOutcome, readBody } from '../../../../../src/lab/testing/model/routes.js';

/** What readBody returns for the bytes that a client sends before it disconnects. */
async function outcomeOf(sent: string, declared = sent.length): Promise<BodyOutcome> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const asked = once(server, 'request') as Promise<[IncomingMessage]>;
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${declared}\r\n\r\n${sent}`);
  const [request] = await asked;
  const outcome = readBody(request, 10);
  if (declared !== sent.length) socket.destroy();
  const read = await outcome;
  socket.destroy();
  server.close();
  return read;
}

test('reads a whole body', async () => {
  expect(await outcomeOf('hello')).toEqual({ kind: 'read', bytes: Buffer.from('hello') });
});

test('discards a body over the limit', async () => {
  expect(await outcomeOf('hello hello')).toEqual({ kind: 'too-large' });
});

test('reports a client that disconnects inside its body', async () => {
  expect(await outcomeOf('hel', 5)).toEqual({ kind: 'gone' });
});
