import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serveEditor, socketStream } from '../../src/command/acp/editor-socket.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { ManualClock } from '../support/manual-clock.js';
import { spokenConversation } from '../support/spoken-conversation.js';

/** An editor that sends what it likes, and sees what comes back. */
class BareEditor {
  readonly received: WireObject[] = [];
  readonly closed: Promise<number>;
  readonly socket: WebSocket;

  constructor(origin: string, token: string) {
    const headers = { authorization: `Bearer ${token}` };
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/acp`, { headers });
    this.socket.on('message', (data) => this.received.push(JSON.parse(String(data))));
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    onTestFinished(() => this.socket.terminate());
  }

  /** Sends a request and resolves to its answer. */
  async ask(method: string, params: object): Promise<WireObject> {
    const id = this.received.length + 1_000;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const answer = () => this.received.find((each) => each.id === id);
    await expect.poll(answer, { timeout: 10_000 }).toBeDefined();
    return answer() ?? {};
  }
}

const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };

async function consoleForEditors(options: ConsoleOptions = {}) {
  const stateFolder = await temporaryFolder();
  const token = new KeyFile(stateFolder).add('editor', 'owner');
  const { server, root, clis } = await startEmulatedConsole(spokenConversation, {
    stateFolder,
    sockets: { '/acp': serveEditor },
    ...options,
  });
  const connect = async () => {
    const editor = new BareEditor(server.origin, token);
    await new Promise((resolve) => editor.socket.on('open', resolve));
    return editor;
  };
  const isWell = async () => (await fetch(`${server.origin}/healthz`)).status === 200;
  return { stateFolder, root, clis, connect, isWell };
}

test('An editor on /acp loses its connection with its key, and what it still sends does no harm', async () => {
  const { stateFolder, root, connect, isWell } = await consoleForEditors();
  const editor = await connect();
  await editor.ask('initialize', INITIALIZE);
  expect(await editor.ask('session/new', { cwd: root, mcpServers: [] })).toHaveProperty('result');
  new KeyFile(stateFolder).remove('editor');
  const late = setInterval(() => {
    if (editor.socket.readyState === WebSocket.OPEN) editor.socket.send('{"jsonrpc":"2.0","method":"late"}');
  });
  onTestFinished(() => clearInterval(late));
  expect(await editor.closed).toBe(4401);
  expect(await isWell()).toBe(true);
});

test('Frames that are no requests get an answer or end the connection of their editor, nothing else', async () => {
  const { connect, isWell } = await consoleForEditors();
  const editor = await connect();
  for (const frame of [
    'null',
    '[]',
    '7',
    '"x"',
    '{}',
    '[[]]',
    '{"id":1}',
    '{"jsonrpc":"2.0","id":{},"method":7}',
  ])
    editor.socket.send(frame);
  expect(await editor.ask('initialize', INITIALIZE)).toHaveProperty('result');
  expect(await editor.ask('no/such/method', {})).toHaveProperty('error');
  expect(await editor.ask('session/prompt', { sessionId: 7, prompt: null })).toHaveProperty('error');

  const huge = Buffer.alloc(33 * 1024 * 1024, ' ');
  for (const [frame, options, code] of [
    ['{', { binary: false }, 1007],
    ['{}', { binary: true }, 1007],
    [huge, { binary: false }, 1009],
  ] as const) {
    const other = await connect();
    other.socket.send(frame, options);
    expect(await other.closed).toBe(code);
  }
  expect(await isWell()).toBe(true);
  expect(await editor.ask('session/list', {})).toHaveProperty('result');
});

test('An editor opens and loads nothing outside the folders of the console', async () => {
  const { connect, root, clis } = await consoleForEditors();
  const editor = await connect();
  await editor.ask('initialize', INITIALIZE);
  const mcpServers: unknown[] = [];
  for (const cwd of ['/', `${root}/..`, 'relative', `${root}/missing`])
    expect(await editor.ask('session/new', { cwd, mcpServers })).toHaveProperty('error');
  for (const sessionId of ['0b0b0b0b-0000-4000-8000-000000000000', '/any/path.jsonl', '../../x', ''])
    for (const method of ['session/load', 'session/resume'])
      expect(await editor.ask(method, { sessionId, cwd: root, mcpServers })).toHaveProperty('error');
  expect(clis).toHaveLength(0);
});

test('An editor that is gone silently is dropped', async () => {
  const clock = new ManualClock();
  const { connect } = await consoleForEditors({ clock });
  const [editor, gone] = [await connect(), await connect()];
  gone.socket.pause();
  const pinged = new Promise((resolve) => editor.socket.once('ping', resolve));
  clock.advance(20_000);
  await pinged;
  // The answer to the ping is on its way before the answer to this request.
  await editor.ask('initialize', INITIALIZE);
  clock.advance(20_000);
  gone.socket.resume();
  expect(await gone.closed).toBe(1006);
  expect(await editor.ask('session/list', {})).toHaveProperty('result');
});

test('Nothing is read from an editor that reads nothing, and after a minute it is dropped', async () => {
  const clock = new ManualClock();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => void server.close());
  const connected = new Promise<WebSocket>((resolve) => server.on('connection', resolve));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const editor = new WebSocket(`ws://127.0.0.1:${port}`);
  const closed = new Promise((resolve) => editor.on('close', resolve));
  const socket = await connected;
  const writer = socketStream(socket, clock).writable.getWriter();
  editor.pause();
  const update = {
    jsonrpc: '2.0',
    method: 'session/update',
    params: { text: 'x'.repeat(1024 * 1024) },
  } as const;
  const writing = (async () => {
    while (socket.readyState === WebSocket.OPEN) await writer.write(update);
  })();
  await expect.poll(() => socket.isPaused).toBe(true);
  await expect
    .poll(() => {
      clock.advance(60_000);
      return socket.readyState;
    })
    .not.toBe(WebSocket.OPEN);
  await writing;
  editor.resume();
  await closed;
});
