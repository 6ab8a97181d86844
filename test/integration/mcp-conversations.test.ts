import { InMemoryTransport } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import type { ReceivedEvent } from '../../src/entry/remote/received-event.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { makeMcpServer } from '../../src/server/console/mcp/mcp-server.js';
import { waitFor } from '../../src/server/console/mcp/waiting.js';
import { remoteConversations } from '../../src/server/console/service/remote-conversations.js';
import type { Console } from '../../src/server/console/start-console.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { startEmulatedConsole } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { spokenConversation } from '../support/spoken-conversation.js';

describe('the MCP endpoint', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const ask = (
    server: Console,
    headers: Record<string, string>,
    body = JSON.stringify(list),
    signal?: AbortSignal,
  ) =>
    fetch(`${server.origin}/mcp`, {
      method: 'POST',
      body,
      signal: signal ?? null,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${server.token}`,
        ...headers,
      },
    });

  test('needs a key, and refuses pages of other sites', async () => {
    const { server } = await startEmulatedConsole(spokenConversation, { limits: { message: 10_000 } });
    expect((await ask(server, {})).status).toBe(200);
    expect((await ask(server, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask(server, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask(server, {}, 'x'.repeat(20_000))).status).toBe(413);
    expect((await ask(server, {}, '{')).status).toBe(400);
    expect((await ask(server, {}, '{"toString":1}')).status).toBeLessThan(500);
  });

  test('stops watching as soon as the client is gone', async () => {
    const { server, root } = await startEmulatedConsole(spokenConversation);
    const client = new ConsoleClient({ url: server.url });
    onTestFinished(() => client.close());
    await client.listed;
    const { session } = await client.command('open', { cwd: root });
    await client.command('send', { content: 'Count to a million.' }, { session });
    const viewers = () => client.sessions.find(({ id }) => id === session)?.viewers;
    const leaving = new AbortController();
    const args = { conversation: session, timeoutSeconds: 600 };
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'watch', arguments: args } };
    const watching = ask(server, {}, JSON.stringify(call), leaving.signal).then((response) =>
      response.text(),
    );
    await vi.waitFor(() => expect(viewers()).toBe(1), { timeout: 30_000 });
    leaving.abort();
    await expect(watching).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(viewers()).toBe(0), { timeout: 30_000 });
  });
});

test('coxswain mcp ends with its client', async () => {
  const { stateFolder } = await startEmulatedConsole(spokenConversation);
  const command = startCoxProcess(['mcp', '--state', stateFolder], { input: '' });
  expect(await command.exited).toBe(0);
});

test('ask reopens a conversation although the list still shows it as open', async () => {
  const { server, root } = await startEmulatedConsole(spokenConversation);
  const client = new ConsoleClient({ url: server.url });
  onTestFinished(() => client.close());
  await client.listed;
  const live = remoteConversations(client, server);
  const { session } = await live.command('open', { cwd: root });
  const before = await live.find(session);
  await live.command('close', {}, { session });
  const conversations = { ...live, all: [before], find: async () => before };
  const mcp = await makeMcpServer({ conversations, clock: systemClock, version: '0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const answered = new Promise((resolve) => {
    near.onmessage = resolve;
  });
  const ask = { name: 'ask', arguments: { conversation: session, message: 'Are you back?' } };
  await near.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: ask });
  expect(await answered).toMatchObject({ result: { structuredContent: { text: 'I am back.' } } });
});

describe('the wait for a turn', () => {
  const chat = () => [onUser(undefined, (text: string) => [say(`You said: ${text}`)], { times: 'any' })];
  const limit = apiFailure({ error: 'rate_limit', status: 429, text: 'limit reached|1000000000' });

  test.each([
    ['its CLI ended before it answered', die({ code: 3 })],
    ['its CLI met a usage limit', limit],
  ])('lasts until a message is answered that is sent again because %s', async (_why, step) => {
    const scenarios = [[onUser(undefined, [step])], chat()];
    const { server, root, clis } = await startEmulatedConsole(() => scenarios.shift() ?? [], {
      limitSpreadMs: 0,
    });
    const client = new ConsoleClient({ url: server.url });
    onTestFinished(() => client.close());
    await client.listed;
    const conversations = remoteConversations(client, server);
    const { session } = await conversations.command('open', { cwd: root });
    const { uuid } = await conversations.command('send', { content: 'hello' }, { session });
    const happened = await waitFor(conversations, {
      conversation: session,
      after: 0,
      message: uuid,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      clock: systemClock,
      onText: () => {},
    });
    expect(happened).toMatchObject({ outcome: 'success', text: 'You said: hello' });
    expect(happened.error).toBeUndefined();
    expect(clis).toHaveLength(2);
  });
});

describe('conversations over a socket', () => {
  test('deliver events to every follower, each from its own position', async () => {
    const { server, root } = await startEmulatedConsole(spokenConversation);
    const client = new ConsoleClient({ url: server.url });
    onTestFinished(() => client.close());
    await client.listed;
    const conversations = remoteConversations(client, server);
    const { session } = await conversations.command('open', { cwd: root });
    const { last } = conversations.all.find(({ id }) => id === session) ?? { last: 0 };
    const follow = (after: number) => {
      const numbers: number[] = [];
      const over = new Promise<void>((resolve) => {
        const onEvent = ({ event, n }: ReceivedEvent) => {
          numbers.push(n);
          if (event.kind === 'line' && event.frame?.type === 'result') resolve();
        };
        void conversations.follow(session, after, { onEvent });
      });
      return { numbers, over };
    };
    const late = follow(last);
    const whole = follow(0);
    await conversations.command('send', { content: 'Are you back?' }, { session });
    await Promise.all([late.over, whole.over]);
    // Partial messages are left out: both must have the same events, in order and once.
    expect(whole.numbers.filter((n) => n > last)).toEqual(late.numbers);
    expect(whole.numbers[0]).toBe(1);
    expect(new Set(whole.numbers).size).toBe(whole.numbers.length);
  });
});
