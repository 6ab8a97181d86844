import { expect, onTestFinished, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { Console } from '../../src/server/console/start-console.js';
import { answers, BareClient, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { HttpClient } from '../support/http-client.js';
import { spokenConversation } from '../support/spoken-conversation.js';

/** Calls a tool over HTTP; the status, and what the tool said. */
async function call(
  { origin, token }: Pick<Console, 'origin' | 'token'>,
  name: string,
  args: object,
  signal?: AbortSignal,
) {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    body: JSON.stringify(request),
    signal: signal ?? null,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
  });
  return { status: response.status, text: await response.text() };
}

test('A tool opens nothing outside the folders of the console, whoever calls it', async () => {
  const stateFolder = await temporaryFolder();
  const operator = new KeyFile(stateFolder).add('agent', 'operator');
  const { server, root, clis } = await startEmulatedConsole(spokenConversation, { stateFolder });
  for (const token of [operator, server.token])
    for (const args of [
      { cwd: '/' },
      { cwd: `${root}/..` },
      { cwd: '/', resume: '/any/path.jsonl' },
      { cwd: root, resume: '/any/path.jsonl' },
      { cwd: root, resume: '../../secrets' },
    ]) {
      const { status, text } = await call({ ...server, token }, 'open_conversation', args);
      expect([status, text]).toEqual([200, expect.stringMatching(/"isError":true/)]);
      expect(text).toMatch(/FOLDER_REFUSED|SESSION_MISSING/);
    }
  const bypass = { cwd: root, permissionMode: 'bypassPermissions' };
  expect((await call(server, 'open_conversation', bypass)).text).toContain('BYPASS_REFUSED');
  expect(clis).toHaveLength(0);
});

test('A tool answers prompts, and gives no rights beyond that', async () => {
  const { server, root, clis } = await startEmulatedConsole([
    onUser([useTool('Bash', { command: 'ls' }, { ask: true }), say('Done.')]),
  ]);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'go' }, { session });
  const { event } = await client.event('prompt');
  const prompt = (event as { prompt: { id: string } }).prompt.id;
  const everything = [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }];
  for (const answer of [
    { answer: 'allow', permissions: everything },
    { answer: 'allow', updatedPermissions: everything },
    { answer: 'allow', remember: everything },
    { answer: 'allow', remember: ['setMode:bypassPermissions'] },
    { answer: 'approve', mode: 'bypassPermissions' },
    { answer: 'complete', result: { behavior: 'allow', updatedPermissions: everything } },
  ]) {
    const { text } = await call(server, 'answer_prompt', { conversation: session, prompt, answer });
    expect(text).toMatch(/"isError":true|"error"/);
  }
  expect(answers(clis[0])).toEqual([]);
  const deny = { answer: 'deny', reason: 'No.' };
  await call(server, 'answer_prompt', { conversation: session, prompt, answer: deny });
  await expect.poll(() => answers(clis[0])).toMatchObject([{ behavior: 'deny' }]);
});

test('More calls at once than a key may have are refused, and the others go on', async () => {
  const stateFolder = await temporaryFolder();
  const token = new KeyFile(stateFolder).add('agent', 'operator');
  const { server, root } = await startEmulatedConsole(spokenConversation, { stateFolder });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  await client.ask('send', { content: 'Count to a million.' }, { session });
  await client.summary(({ state }) => state === 'running');
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const args = { conversation: session, timeoutSeconds: 600 };
  const watching = Array.from({ length: 128 }, () =>
    call({ ...server, token }, 'watch', args, leaving.signal).catch(() => undefined),
  );
  await client.summary(({ viewers }) => viewers === 128);
  expect((await call({ ...server, token }, 'watch', args)).status).toBe(429);
  const http = new HttpClient(server);
  expect((await http.ask('GET /server', { token })).status).toBe(429);
  expect((await http.ask('GET /server')).status).toBe(200);
  expect((await call(server, 'list_conversations', {})).status).toBe(200);
  leaving.abort();
  await Promise.all(watching);
  await expect
    .poll(async () => (await call({ ...server, token }, 'list_conversations', {})).status)
    .toBe(200);
});

test('coxswain mcp survives lines that are no requests, also long ones', async () => {
  const { stateFolder } = await startEmulatedConsole(spokenConversation);
  const command = startCoxProcess(['mcp', '--state', stateFolder], { keepInput: true });
  onTestFinished(() => command.kill('SIGKILL'));
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  command.type(
    `${JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'initialize', params: initialize })}\n`,
  );
  await command.until('"one"');
  for (const line of ['garbage', 'null', '[]', '7', '{}', '{"jsonrpc":"2.0"}', '\u0000', ''])
    command.type(`${line}\n`);
  command.type(`${'x'.repeat(2 ** 20)}\n`);
  command.type(`${JSON.stringify({ jsonrpc: '2.0', id: 'two', method: 'x'.repeat(8 * 2 ** 20) })}\n`);
  command.type(`${JSON.stringify({ jsonrpc: '2.0', id: 'three', method: 'tools/list' })}\n`);
  await command.until('"three"');
  command.child.stdin.end();
  expect(await command.exited).toBe(0);
});
