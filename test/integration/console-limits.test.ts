import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../src/entry/remote/contract.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { BareClient, startEmulatedConsole, trySocket } from '../support/console.js';

const chat = () => [onUser(undefined, [say('Yes.')], { times: 'any' as const })];

test('a message that is too big closes only its connection', async () => {
  const { server } = await startEmulatedConsole(chat, { limits: { message: 10_000 } });
  const client = await BareClient.connect(server);
  const other = await BareClient.connect(server);
  client.say({ type: 'x', text: 'x'.repeat(20_000) });
  expect(await client.closed).toBe(CLOSE_CODES.tooBig);
  expect(await other.command('folders', {})).toMatchObject({ ok: true });
});

test.each([
  'no json',
  '[]',
  '{"type":"command","id":1}',
  '{"type":"attach","session":"../../etc","after":0}',
])('invalid input closes the connection: %s', async (text) => {
  const { server } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  client.socket.send(text);
  expect(await client.closed).toBe(CLOSE_CODES.badMessage);
});

test('whatever a client sends, the server and the other clients continue', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const steady = await BareClient.connect(server);
  const { session } = await steady.ask('open', { cwd: root });
  let client = await BareClient.connect(server);
  const anyName = fc.constantFrom(
    'send',
    'answer',
    'control',
    'open',
    'history',
    'reply',
    'rewind',
    'mcp.all',
    'x',
  );
  const anyMessage = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom('hello', 'attach', 'detach', 'command', 'cancel', '__proto__'),
      id: fc.oneof(fc.uuid(), fc.jsonValue()),
      name: fc.oneof(anyName, fc.string()),
      session: fc.oneof(fc.constant(session), fc.uuid(), fc.jsonValue()),
      after: fc.oneof(fc.integer(), fc.jsonValue()),
      client: fc.oneof(fc.uuid(), fc.jsonValue()),
      params: fc.oneof(
        fc.jsonValue(),
        fc.record({ content: fc.string(), prompt: fc.string(), server: fc.string() }),
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(anyMessage, async (message) => {
      if (client.socket.readyState !== WebSocket.OPEN) client = await BareClient.connect(server);
      client.socket.send(JSON.stringify(message));
      // Messages are processed in order: what follows is answered, or the connection was closed because of it.
      await Promise.race([client.command('folders', {}), client.closed]);
    }),
    { numRuns: 300 },
  );
  expect(await steady.command('info', {}, { session })).toMatchObject({ ok: true });
});

test.each([
  { type: 'detach', session: { toString: 1 } },
  { type: 'cancel', id: { toString: 1 } },
])('an identifier that is not a string closes the connection, not the server: %j', async (message) => {
  const { server } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  client.socket.send(JSON.stringify(message));
  expect(await client.closed).toBe(CLOSE_CODES.badMessage);
});

test.each([
  ['open', { cwd: { toString: 1 } }],
  ['control', { subtype: { toString: 1 } }],
  ['setModel', { model: { toString: 1 } }],
  ['answer', { prompt: 'p', answer: { answer: { toString: 1 } } }],
] as const)('params that are no text are refused: %s', async (name, params) => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const wrong = params as never;
  expect(await client.command(name, wrong, { session })).toMatchObject({
    ok: false,
    error: { code: 'COMMAND_INVALID' },
  });
});

test('the number of clients and of sessions is limited', async () => {
  const { server, root } = await startEmulatedConsole(chat, { limits: { clients: 1, sessions: 1 } });
  const client = await BareClient.connect(server);
  expect(await trySocket(server, { authorization: `Bearer ${server.token}` })).toBe('503');
  await client.ask('open', { cwd: root });
  const refused = await client.command('open', { cwd: root });
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('limit') } });
});

test('the limit applies to sessions opened at once, and to reopened ones', async () => {
  const { server, root } = await startEmulatedConsole(chat, { limits: { sessions: 1 } });
  const client = await BareClient.connect(server);
  const opened = await Promise.all([1, 2, 3].map(() => client.command('open', { cwd: root })));
  expect(opened.filter(({ ok }) => ok)).toHaveLength(1);
  const { id } = await client.summary(({ state }) => state === 'idle');
  await client.ask('close', {}, { session: String(id) });
  await client.ask('open', { cwd: root });
  expect(await client.command('reopen', {}, { session: String(id) })).toMatchObject({
    error: { message: expect.stringContaining('limit') },
  });
});

test('commands are validated: unknown ones, and wrong parameters', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const invalid = { ok: false, error: { code: 'COMMAND_INVALID' } };
  expect(await client.command('toString' as 'open', { cwd: root })).toMatchObject(invalid);
  expect(await client.command('open', {} as { cwd: string })).toMatchObject(invalid);
  expect(await client.command('open', { cwd: root, cli: '/bin/sh' } as never)).toMatchObject(invalid);
  expect(await client.command('send', { content: 'x' }, { session: 'nobody' })).toMatchObject({
    error: { code: 'SESSION_UNKNOWN' },
  });
});

test('idle connections keep nobody out', async () => {
  const { server } = await startEmulatedConsole(chat);
  const before = await BareClient.connect(server);
  const idle: Socket[] = [];
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  // Not all at once: what does not fit into the system's queue never reaches the server, and looks open forever.
  for (let batch = 0; batch < 12; batch += 1) {
    const sockets = Array.from({ length: 100 }, () => idleConnection(server.port));
    idle.push(...sockets);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  }
  const client = await BareClient.connect(server);
  await client.ask('folders', {});
  await before.ask('folders', {});
  const open = () => idle.filter((socket) => !socket.destroyed && socket.readyState === 'open').length;
  await expect.poll(open, { timeout: 10_000 }).toBeLessThanOrEqual(64);
});

/** A socket that nobody reads would not notice that the other end closed it. */
function idleConnection(port: number): Socket {
  return connect(port, '127.0.0.1')
    .on('error', () => {})
    .resume();
}

test('a connection that sends no request is closed soon', async () => {
  const { server } = await startEmulatedConsole(chat);
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.resume().once('close', resolve));
});
