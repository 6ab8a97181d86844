import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import type { LogEvent } from '../../src/entry/remote/contract.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { remoteConversations } from '../../src/server/console/mcp/remote-conversations.js';
import type { Console } from '../../src/server/console/start-console.js';
import { startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { EMULATED_CLI, startCoxProcess } from '../support/cox-process.js';
import { Inspector, inspectorProblem } from '../support/inspector.js';
import { spokenConversation } from '../support/spoken-conversation.js';

// The MCP inspector, a third-party client, uses conversations over HTTP and over stdio; each tool call is a process.
vi.setConfig({ testTimeout: 180_000 });

const TOOLS = [
  'list_conversations',
  'open_conversation',
  'ask',
  'watch',
  'answer_prompt',
  'interrupt',
  'close_conversation',
  'reopen_conversation',
];

function overHttp(server: Console, token = server.token): Inspector {
  const url = `${server.origin}/mcp`;
  return new Inspector([url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]);
}

function overStdio(stateFolder: string, ...flags: readonly string[]): Inspector {
  const args = [resolve('dist/command.js'), 'mcp', '--state', stateFolder, ...flags];
  const config = join(stateFolder, 'inspector.json');
  const coxswain = { command: process.execPath, args, env: { HOME: stateFolder } };
  writeFileSync(config, JSON.stringify({ mcpServers: { coxswain } }));
  return new Inspector(['--config', config, '--server', 'coxswain']);
}

interface Asked {
  readonly id: string;
  readonly questions: readonly { readonly question: string }[];
}

/** A permission, a tool call, a question, an interrupt and a resume. */
async function wholeConversation(inspector: Inspector, cwd: string): Promise<void> {
  const { conversation } = await inspector.call('open_conversation', { cwd, title: 'By an agent' });
  const asks = await inspector.call('ask', { conversation, message: 'What is here?' });
  expect(asks).toMatchObject({ state: 'needs-you', tools: ['Bash'], prompts: [{ headline: 'Bash: ls' }] });
  const [permission] = asks.prompts as readonly Asked[];
  const allow = { conversation, prompt: permission?.id, answer: { answer: 'allow' } };
  expect(await inspector.call('answer_prompt', allow)).toMatchObject({ accepted: true });
  expect(await inspector.call('watch', { conversation, after: asks.last })).toMatchObject({
    text: 'One file.',
    prompts: [],
  });

  const form = await inspector.call('ask', { conversation, message: 'Set up a project.' });
  const [question] = form.prompts as readonly Asked[];
  const choices = { [question?.questions[0]?.question ?? '']: 'SQLite' };
  const answer = { answer: 'choices', choices };
  await inspector.call('answer_prompt', { conversation, prompt: question?.id, answer });
  expect(await inspector.call('watch', { conversation, after: form.last })).toMatchObject({
    text: 'Set up.',
  });

  const counting = { conversation, message: 'Count to a million.', timeoutSeconds: 0.5 };
  expect(await inspector.call('ask', counting)).toMatchObject({ state: 'running', prompts: [] });
  expect(await inspector.call('interrupt', { conversation })).toMatchObject({ interrupted: true });
  // Finished turns are returned at once, whatever the timeout.
  const idle = { conversation, timeoutSeconds: 600 };
  expect(await inspector.call('watch', idle)).toMatchObject({ state: 'idle', prompts: [] });

  await inspector.call('close_conversation', { conversation });
  const { conversations } = await inspector.call('list_conversations', { state: 'ended' });
  expect(conversations).toMatchObject([{ conversation, title: 'By an agent' }]);
  expect(await inspector.call('ask', { conversation, message: 'Are you back?' })).toMatchObject({
    outcome: 'success',
    text: 'I am back.',
  });
}

describe('conversations as MCP tools', () => {
  test('are listed with their parameters', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const { server } = await startEmulatedConsole(spokenConversation);
    const { tools } = await overHttp(server).method('tools/list');
    const listed = tools as { name: string; description: string; inputSchema: object }[];
    expect(listed.map(({ name }) => name)).toEqual(TOOLS);
    for (const { description, inputSchema } of listed) {
      expect(description).not.toBe('');
      expect(inputSchema).toMatchObject({ type: 'object' });
    }
  });

  test('run a whole conversation over HTTP', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const { server, root } = await startEmulatedConsole(spokenConversation);
    await wholeConversation(overHttp(server), root);
  });

  test('run a whole conversation over stdio, with the running console', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const { root, stateFolder } = await startEmulatedConsole(spokenConversation);
    await wholeConversation(overStdio(stateFolder), root);
    // The keys that the commands created for themselves are revoked.
    expect(new KeyFile(stateFolder).all).toEqual([]);
  });

  test('report what a key may not do as a failed call with the code', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const { server, root, stateFolder } = await startEmulatedConsole(spokenConversation);
    const watcher = overHttp(server, new KeyFile(stateFolder).add('eyes', 'watcher'));
    expect(await watcher.tool('open_conversation', { cwd: root })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^ROLE_REFUSED: /) }],
    });
    expect(await watcher.call('list_conversations')).toEqual({ conversations: [], more: false });
    const unknown = await overHttp(server).tool('ask', { conversation: 'none', message: 'x' });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^SESSION_UNKNOWN/) }],
    });
    const wrong = await overHttp(server).tool('ask', { conversation: 'none' });
    expect(wrong).toMatchObject({ isError: true });
    await expect(overHttp(server, 'wrong').method('tools/list')).rejects.toThrow(/401|KEY_REFUSED/);
  });
});

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

describe('coxswain mcp', () => {
  test('starts its own console if none is running, and leaves nothing running', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const folder = await temporaryFolder();
    const inspector = overStdio(folder, '--root', folder, '--cli', resolve(EMULATED_CLI));
    const { conversation } = await inspector.call('open_conversation', { cwd: folder });
    const { conversations } = await inspector.call('list_conversations');
    expect(conversations).toMatchObject([{ conversation, state: 'ended' }]);
    expect(existsSync(resolve(folder, 'running'))).toBe(true);
    expect(readFileSync(resolve(folder, 'keys.json'), 'utf8')).toContain('"keys": []');
  });

  test('ends with its client', async () => {
    const { stateFolder } = await startEmulatedConsole(spokenConversation);
    const command = startCoxProcess(['mcp', '--state', stateFolder], { input: '' });
    expect(await command.exited).toBe(0);
  });
});

describe('conversations over a socket', () => {
  test('deliver events to every follower, each from its own position', async () => {
    const { server, root } = await startEmulatedConsole(spokenConversation);
    const client = new ConsoleClient({ url: server.url });
    onTestFinished(() => client.close());
    await client.listed;
    const conversations = remoteConversations(client);
    const { session } = await conversations.command('open', { cwd: root });
    const { last } = conversations.all.find(({ id }) => id === session) ?? { last: 0 };
    const follow = (after: number) => {
      const numbers: number[] = [];
      const over = new Promise<void>((resolve) => {
        const onEvent = (event: LogEvent, n: number) => {
          numbers.push(n);
          if (event.kind === 'line' && event.frame?.type === 'result') resolve();
        };
        void conversations.follow(session, after, { onEvent, onAttached: () => {} });
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
