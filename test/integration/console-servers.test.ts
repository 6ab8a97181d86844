import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { emulatedStarts } from '../support/emulated-starts.js';

const files = { command: 'node', args: ['files.mjs'] };

function teller(name: string, words: string) {
  const run = () => words;
  return mcpServer(name, [
    tool({ name: 'tell', description: 'Tells.', input: { type: 'object', properties: {} }, run }),
  ]);
}

test('servers are added and removed, and each lists its possible actions, and why others are not', async () => {
  const { server, root } = await startEmulatedConsole([], { emulate: { version: '2.1.17' } });
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const to = { session };
  expect(await client.ask('mcp.status', {}, to)).toMatchObject({ servers: [], add: { how: 'native' } });
  expect(await client.ask('mcp.add', { servers: { files } }, to)).toMatchObject({ added: ['files'] });
  const { servers } = await client.ask('mcp.status', {}, to);
  expect(servers).toMatchObject([
    {
      name: 'files',
      supports: {
        mcp_tools: { how: 'no', reason: expect.stringContaining('CLI 2.1.17') },
        mcp_reconnect: { how: 'equivalent' },
        mcp_disable: { how: 'equivalent' },
        mcp_set_servers: { how: 'native' },
      },
    },
  ]);
  await client.ask('mcp.remove', { server: 'files' }, to);
  expect((await client.ask('mcp.status', {}, to)).servers).toEqual([]);
  expect(await client.command('mcp.add', { servers: { files: { nonsense: true } } }, to)).toMatchObject({
    ok: false,
    error: { code: 'OPTION_INVALID' },
  });
});

test('the console’s servers are available in programs’ sessions too, and each host answers for its own', async () => {
  const scenario = () => [onUser([mcpTool('ours', 'tell'), mcpTool('theirs', 'tell'), say('Done.')])];
  const { transport, clis } = emulatedStarts(scenario, { version: '2.1.17' });
  const { server, root } = await startEmulatedConsole([], {
    session: { transport, mcpServers: { ours: teller('ours', 'the console'), files } },
  });
  const session = await openSession({
    remote: server.url,
    cwd: root,
    mcpServers: { theirs: teller('theirs', 'the program') },
  });
  onTestFinished(async () => void (await session.close()));
  const names = async () => (await session.mcp.status()).mcpServers.map(({ name }) => name).toSorted();
  await expect.poll(names).toEqual(['files', 'ours', 'theirs']);
  await session.send('go').text();
  const results = JSON.stringify(clis[0]?.lines);
  expect(results).toContain('the console');
  expect(results).toContain('the program');
});

test('a server that a program disables is disabled for everyone, even after reopening, and vice versa', async () => {
  const { server, root } = await startEmulatedConsole([], { emulate: { version: '2.1.17' } });
  const session = await openSession({ remote: server.url, cwd: root, mcpServers: { files } });
  onTestFinished(async () => void (await session.close()));
  const page = await BareClient.connect(server);
  const listed = (await page.ever(({ type }) => type === 'sessions')).sessions;
  const to = { session: String((Array.isArray(listed) ? listed[0] : undefined)?.id) };
  const seen = async () => (await page.ask('mcp.status', {}, to)).servers.map(({ status }) => status);
  const ours = async () => (await session.mcp.status()).mcpServers.map(({ status }) => status);

  expect(await session.supports('mcp_disable', { server: 'files' })).toMatchObject({ how: 'equivalent' });
  expect(await session.mcp.disable('files')).toMatchObject({ success: true, how: 'equivalent' });
  expect([await seen(), await ours()]).toEqual([['disabled'], ['disabled']]);
  await session.mcp.add({ notes: files });
  expect(await seen()).toEqual(['connected', 'disabled']);
  await session.mcp.remove('notes');
  await session.close();
  await session.reopen();
  expect([await seen(), await ours()]).toEqual([['disabled'], ['disabled']]);

  expect(await page.ask('mcp.enable', { server: 'files' }, to)).toMatchObject({ status: 'connected' });
  expect(await ours()).toEqual(['connected']);
  await page.ask('mcp.add', { servers: { more: files } }, to);
  expect((await session.mcp.servers()).map(({ name }) => name).toSorted()).toEqual(['files', 'more']);
  await session.mcp.add({ notes: files });
  expect(await seen()).toEqual(['connected', 'connected', 'connected']);
  await expect(session.mcp.disable('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_UNKNOWN' });
});
