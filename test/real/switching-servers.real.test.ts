import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import type { McpServerAnswer } from '../../src/host/session/servers/mcp-answer.js';
import type { Session } from '../../src/host/session/session.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { pidServer, resultOfTool } from './support/tool-turn.js';

const NO_TOOL = /No such tool available/;
const UNSUPPORTED = { code: 'ENDPOINT_UNSUPPORTED' };
const UNKNOWN = { code: 'MCP_SERVER_UNKNOWN' };

/** Opens a session whose settings contain the server. */
async function withSettings(place: RealPlace, server: object, disabled = false): Promise<Session> {
  const { home, cwd } = place.folders;
  const projects = disabled ? { [cwd]: { disabledMcpServers: ['pid'] } } : {};
  await writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { pid: server }, projects }));
  return place.open({ allowedTools: ['mcp__pid__whoami'], settingSources: ['user', 'local'] });
}

/** The result of a change must match what the CLI lists, and what its model can do. */
async function expectTrue(place: RealPlace, session: Session, answer: McpServerAnswer): Promise<void> {
  const { mcpServers } = await session.mcp.status();
  const row = mcpServers.find(({ name }) => name === 'pid');
  expect(answer.status).toBe(row?.status);
  expect(answer.success).toBe(row?.status === 'connected');
  if (!answer.success) expect(answer.error).not.toBeNull();
  expect(await resultOfTool(place, session)).toMatch(answer.success ? /^pid \d+$/ : NO_TOOL);
}

describeInstalledClis('switching MCP servers of CLI $version', (cli) => {
  const can = capabilitiesOf(cli);
  const reaches = can.fateOf('mcp_toggle') === 'served';

  test('one that settings had disabled counts as enabled only if it is', async () => {
    await using place = await realPlace(cli);
    await using session = await withSettings(place, pidServer, true);
    if (!reaches) {
      await expect(session.mcp.enable('pid')).rejects.toMatchObject(UNSUPPORTED);
      return;
    }
    expect(await session.supports('mcp_enable', { server: 'pid' })).toMatchObject({ outlives: true });
    await expectTrue(place, session, await session.mcp.enable('pid'));
  });

  test('one that failed to start counts as reconnected only if it is', async () => {
    await using place = await realPlace(cli);
    const works = join(place.folders.tmp, 'works');
    const script = `require('fs').existsSync(${JSON.stringify(works)})?import(${JSON.stringify(pidServer.args[0])}):process.exit(3)`;
    await using session = await withSettings(place, { command: process.execPath, args: ['-e', script] });
    await writeFile(works, '');
    if (!reaches) {
      await expect(session.mcp.reconnect('pid')).rejects.toMatchObject(UNSUPPORTED);
      return;
    }
    await expectTrue(place, session, await session.mcp.reconnect('pid'));
  });

  test('one from settings files is disabled in the session, or refused without being written down', async () => {
    await using place = await realPlace(cli);
    await using session = await withSettings(place, pidServer);
    const { how } = await session.supports('mcp_disable', { server: 'pid' });
    if (how === 'no') {
      await expect(session.mcp.disable('pid')).rejects.toMatchObject(UNSUPPORTED);
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
      return;
    }
    expect(await session.mcp.disable('pid')).toMatchObject({ success: true, status: 'disabled' });
    expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
    expect(await session.mcp.enable('pid')).toMatchObject({ success: true, status: 'connected' });
    expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
  });

  test('a disabled server stays listed, and can be enabled again', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ allowedTools: ['mcp__pid__whoami'] });
    const listed = async () =>
      (await session.mcp.status()).mcpServers.map(({ name, status }) => `${name} ${status}`);
    await session.mcp.add({ pid: pidServer });
    expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
    expect(await session.mcp.disable('pid')).toMatchObject({ success: true, status: 'disabled' });
    expect(await listed()).toEqual(['pid disabled']);
    expect(await session.mcp.tools('pid')).toMatchObject({ tools: [] });
    await session.close();
    await session.reopen();
    expect(await listed()).toEqual(['pid disabled']);
    expect(await session.mcp.enable('pid')).toMatchObject({ success: true, status: 'connected' });
    expect(await listed()).toEqual(['pid connected']);
    expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
  });

  test('an unknown server gives the same error everywhere', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    for (const change of ['reconnect', 'enable', 'disable', 'tools', 'remove'] as const)
      await expect(session.mcp[change]('nobody')).rejects.toMatchObject(UNKNOWN);
    await expect(session.chrome.reconnect()).rejects.toMatchObject(UNKNOWN);
    if (can.fateOf('mcp_read_resource') === 'served')
      await expect(session.mcp.readResource('nobody', 'ui://x')).rejects.toMatchObject(UNKNOWN);
    if (can.fateOf('set_mcp_permission_mode_override') === 'served')
      await expect(session.mcp.setPermissionMode('nobody', null)).rejects.toMatchObject(UNKNOWN);
  });
});
