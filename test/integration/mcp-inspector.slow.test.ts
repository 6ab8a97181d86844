import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { Console } from '../../src/server/console/start-console.js';
import { startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { EMULATED_CLI } from '../support/cox-process.js';
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
}

/** A permission and a tool call; `ways-in.test.ts` has the rest of a conversation over MCP. */
async function allowedCall(inspector: Inspector, cwd: string): Promise<void> {
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

  test('run a tool call with permission over HTTP', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const { server, root } = await startEmulatedConsole(spokenConversation);
    await allowedCall(overHttp(server), root);
  });

  test('run a tool call with permission over stdio, with the running console', async ({ skip }) => {
    if (inspectorProblem !== undefined) skip(inspectorProblem);
    const { root, stateFolder } = await startEmulatedConsole(spokenConversation);
    await allowedCall(overStdio(stateFolder), root);
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
});
