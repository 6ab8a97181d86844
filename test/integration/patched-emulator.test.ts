import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { builtinPatches } from '../../src/host/patches/registry.js';
import type { Session } from '../../src/host/session/session.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { emulatedPatches } from '../../src/lab/testing/emulator/requests/emulated-patches.js';
import { startEmulatedConsole } from '../support/console.js';

const emulate = { version: '2.1.17', patched: true };
const mcpServers = { files: { command: 'node', args: ['files.mjs'] } };

test('the emulated CLI lists the existing patches', () => {
  const real = builtinPatches.map(({ id, version = 1, serves = [] }) => ({ id, version, serves }));
  expect(emulatedPatches).toEqual(real);
});

async function expectPatched(session: Session): Promise<void> {
  expect(session.info.coxswain_patches).toHaveLength(7);
  for (const name of ['mcp_tools', 'mcp_reconnect', 'get_chrome_status', 'agent_run_to_background'] as const)
    expect(await session.supports(name)).toMatchObject({ how: 'patched' });
  expect(await session.mcp.reconnect('files')).toMatchObject({ success: true, how: 'patched' });
  expect(await session.mcp.disable('files')).toMatchObject({ status: 'disabled', remembered: false });
  expect(await session.mcp.status()).toMatchObject({ mcpServers: [{ name: 'files', status: 'disabled' }] });
  expect(await session.mcp.enable('files')).toMatchObject({ status: 'connected', how: 'patched' });
  expect(await session.mcp.tools('files')).toMatchObject({ tools: [] });
  expect(await session.chrome.status()).toMatchObject({ installed: false, connected: false });
  expect(await session.background()).toEqual({ backgrounded: false });
  await expect(session.mcp.reconnect('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_UNKNOWN' });
  await expect(session.control<string>('from_the_future')).rejects.toThrow('from_the_future');
}

test('patched endpoints work over a custom transport', async () => {
  const { transport } = emulateCli([], emulate);
  await using session = await openSession({ transport });
  await session.mcp.add(mcpServers);
  await expectPatched(session);
});

test('patched endpoints work over a console server', async () => {
  const { server, root } = await startEmulatedConsole([], { emulate });
  const session = await openSession({ remote: server.url, cwd: root });
  onTestFinished(async () => void (await session.close()));
  await session.mcp.add(mcpServers);
  await expectPatched(session);
});
