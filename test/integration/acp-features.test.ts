import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { acpPlace, coxswainAcp } from '../support/acp-places.js';
import { processesOf } from '../support/acpx.js';
import { programOf } from '../support/emulated-program.js';
import { commandOf } from './process-helpers.js';

const emulated = programOf('2.1.326');
const allow = {
  permission: ({ options }: { options: { kind: string; optionId: string }[] }) => {
    const optionId = options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
    return { outcome: { outcome: 'selected' as const, optionId } };
  },
};

test('texts, links, embedded resources, images and PDF documents reach the model', async () => {
  await using place = await acpPlace(emulated);
  await using agent = place.connect();
  await agent.initialize();
  const sessionId = await agent.begin(place.cwd);
  const prompt: ContentBlock[] = [
    { type: 'text', text: 'say hello' },
    { type: 'resource_link', uri: 'file:///a.ts', name: 'a.ts' },
    { type: 'resource', resource: { uri: 'file:///b.ts', text: 'const b = 1;' } },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'resource', resource: { uri: 'file:///c.pdf', mimeType: 'application/pdf', blob: 'BBBB' } },
  ];
  await agent.agent.request('session/prompt', { sessionId, prompt });
  const told = JSON.stringify(place.requests.at(-1)?.messages);
  for (const part of ['[a.ts](file:///a.ts)', 'const b = 1;', '"media_type":"image/png"', 'BBBB'])
    expect(told).toContain(part);
  const zip: ContentBlock = {
    type: 'resource',
    resource: { uri: 'file:///d.zip', mimeType: 'application/zip', blob: 'CCCC' },
  };
  await expect(agent.agent.request('session/prompt', { sessionId, prompt: [zip] })).rejects.toMatchObject({
    code: -32_602,
  });
});

test('the answer to a prompt has its tokens', async () => {
  await using place = await acpPlace(emulated);
  await using agent = place.connect();
  await agent.initialize();
  const sessionId = await agent.begin(place.cwd);
  const prompt: ContentBlock[] = [{ type: 'text', text: 'say hello' }];
  const answer = await agent.agent.request('session/prompt', { sessionId, prompt });
  const tokens = expect.any(Number);
  expect(answer).toMatchObject({
    stopReason: 'end_turn',
    usage: { inputTokens: tokens, outputTokens: tokens, totalTokens: tokens },
  });
});

test('files are shown as diffs, a refused to-do list as no plan, and commands as terminals if the client supports them', async () => {
  await using place = await acpPlace(emulated);
  await using agent = place.connect(allow);
  await agent.initialize({ _meta: { terminal_output: true } });
  const sessionId = await agent.begin(place.cwd);
  for (const line of ['write it', 'plan it', 'make a file']) await agent.prompt(sessionId, line);
  const [write, bash] = agent.of('tool_call');
  const path = join(place.cwd, 'note.txt');
  expect(write).toMatchObject({
    kind: 'edit',
    title: 'Write note.txt',
    locations: [{ path }],
    content: [{ type: 'diff', path, oldText: null, newText: 'one\ntwo\n' }],
  });
  expect(agent.of('plan')).toEqual([]);
  const { toolCallId } = bash ?? {};
  expect(bash).toMatchObject({
    content: [{ type: 'terminal', terminalId: toolCallId }],
    _meta: { terminal_info: { terminal_id: toolCallId } },
  });
  expect(agent.of('tool_call_update').at(-1)?._meta).toMatchObject({
    terminal_output: { terminal_id: toolCallId },
    terminal_exit: { exit_code: 0 },
  });
});

test('a session gets the client’s MCP servers and folders, and its CLI is recorded', async () => {
  await using place = await acpPlace(emulated, coxswainAcp('--record', 'records'));
  await using agent = place.connect();
  await agent.initialize();
  const more = join(place.cwd, 'more');
  mkdirSync(more);
  const server = { name: 'echo', command: process.execPath, args: [resolve('test/fixtures/mcp/echo.mjs')] };
  const { sessionId } = await agent.agent.request('session/new', {
    cwd: place.cwd,
    additionalDirectories: [more],
    mcpServers: [{ ...server, env: [{ name: 'A', value: 'b' }] }],
  });
  await agent.prompt(sessionId, 'say hello');
  const nowhere = { cwd: place.cwd, mcpServers: [], additionalDirectories: ['/no/such/folder'] };
  await expect(agent.agent.request('session/new', nowhere)).rejects.toMatchObject({ code: -32_602 });
  const twice = {
    cwd: place.cwd,
    mcpServers: [
      { ...server, env: [] },
      { ...server, env: [] },
    ],
  };
  await expect(agent.agent.request('session/new', twice)).rejects.toMatchObject({ code: -32_602 });
  expect(readdirSync(join(place.cwd, 'records'))).toEqual([`${sessionId}.trace`]);
  const trace = readFileSync(join(place.cwd, 'records', `${sessionId}.trace`), 'utf8');
  for (const part of ['--add-dir', '"name":"echo"', 'say hello', 'Hello.']) expect(trace).toContain(part);
});

test.runIf(process.platform === 'linux')(
  'the CLI of an idle session ends, and the next message starts another one',
  async () => {
    await using place = await acpPlace(emulated, coxswainAcp('--idle', '1s', '--record', 'records'));
    await using agent = place.connect();
    await agent.initialize();
    const sessionId = await agent.begin(place.cwd);
    await agent.prompt(sessionId, 'say hello');
    const clis = () =>
      processesOf(place).filter((pid) => pid !== agent.child.pid && commandOf(pid).includes(emulated));
    await expect.poll(clis).toEqual([]);
    expect(await agent.prompt(sessionId, 'say hello')).toBe('end_turn');
    expect(JSON.stringify(place.requests.at(-1)?.messages).match(/say hello/g)).toHaveLength(2);
    expect(readdirSync(join(place.cwd, 'records')).length).toBeGreaterThan(1);
  },
);

test('a client that can open a terminal is offered the login there, others get instructions', async () => {
  await using place = await acpPlace(emulated);
  await using plain = place.connect();
  const { authMethods = [] } = await plain.initialize();
  const methodId = authMethods[0]?.id ?? '';
  await expect(plain.agent.request('authenticate', { methodId })).rejects.toMatchObject({
    code: -32_000,
    message: expect.stringContaining('claude /login'),
  });
  await using able = place.connect();
  expect((await able.initialize({ auth: { terminal: true } })).authMethods).toEqual([
    expect.objectContaining({ type: 'terminal', args: ['--login'] }),
  ]);
});
