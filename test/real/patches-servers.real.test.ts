import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ProbeServer, probeServer } from '../../src/command/patch/probe-server.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { javaScriptClis, throwawayCache } from './support/patched-clis.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { brokenServer, pidServer, resultOfTool } from './support/tool-turn.js';

const cache = throwawayCache();
const patched = () => ({ patched: { cacheFolder: cache.folder } });
const NO_TOOL = /No such tool available/;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describeInstalledClis(
  'the servers of a patched CLI $version',
  (cli) => {
    test('reconnects and switches command-line servers, and the next turn shows it', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__pid__whoami'],
        mcpServers: { pid: pidServer, broken: brokenServer },
      });
      const first = await resultOfTool(place, session);
      expect(await session.mcp.reconnect('pid')).toEqual({
        success: true,
        serverName: 'pid',
        status: 'connected',
        toolsCount: 1,
        error: null,
        how: 'patched',
        remembered: false,
      });
      const second = await resultOfTool(place, session);
      expect(second).toMatch(/^pid \d+/);
      expect(second).not.toBe(first);
      expect(await session.mcp.disable('pid')).toMatchObject({ status: 'disabled', toolsCount: 0 });
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      expect((await session.mcp.status()).mcpServers).toContainEqual(
        expect.objectContaining({ name: 'pid', status: 'disabled' }),
      );
      expect(await session.mcp.enable('pid')).toMatchObject({ status: 'connected', toolsCount: 1 });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+/);
      expect(await session.mcp.reconnect('broken')).toMatchObject({ success: false, status: 'failed' });
      await expect(session.mcp.reconnect('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_UNKNOWN' });
    });

    test('starts one process of a server at a time, however often it is reconnected and switched', async () => {
      await using place = await realPlace(cli);
      const starts = join(place.folders.tmp, 'starts');
      const script = `require('fs').appendFileSync(${JSON.stringify(starts)}, process.pid + ' ');import(${JSON.stringify(pidServer.args[0])})`;
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__pid__whoami'],
        mcpServers: { pid: { command: process.execPath, args: ['-e', script] } },
      });
      const started = () => readFileSync(starts, 'utf8').trim().split(' ').map(Number);
      const running = () => started().filter(isRunning).length;
      await Promise.all([1, 2, 3, 4].map(() => session.mcp.reconnect('pid')));
      await place.until(() => running() === 1);
      // Past our own queue, as another client of the same CLI would.
      const names = { server_name: 'pid', serverName: 'pid' };
      await Promise.all([1, 2, 3].map(() => session.control<string>('mcp_reconnect', names)));
      await place.until(() => running() === 1);
      await session.mcp.disable('pid');
      await place.until(() => running() === 0);
      const before = started().length;
      expect(await session.mcp.enable('pid')).toMatchObject({ success: true });
      expect(started().length).toBe(before + 1);
      expect(running()).toBe(1);
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+/);
    });

    test('reconnects a server that failed once, and enables it again', async () => {
      await using place = await realPlace(cli);
      const server = probeServer(place.folders.tmp);
      server.next('down');
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__pid__whoami'],
        mcpServers: { pid: server.config },
      });
      // Some CLIs wait only a few seconds for their servers.
      const statusOf = async () => (await session.mcp.status()).mcpServers[0]?.status;
      await expect.poll(statusOf, { timeout: 60_000 }).toBe('failed');
      expect(await session.mcp.reconnect('pid')).toMatchObject({ success: false, status: 'failed' });
      server.next('up');
      expect(await session.mcp.reconnect('pid')).toMatchObject({ success: true, toolsCount: 1 });
      expect(server.started()).toHaveLength(3);
      expect(await resultOfTool(place, session)).toBe(`pid ${server.started().at(-1)}`);
      server.next('down');
      expect(await session.mcp.reconnect('pid')).toMatchObject({ success: false, status: 'failed' });
      server.next('up');
      expect(await session.mcp.disable('pid')).toMatchObject({ success: true, status: 'disabled' });
      expect(server.started()).toHaveLength(4);
      expect(await session.mcp.enable('pid')).toMatchObject({ success: true, status: 'connected' });
      expect(server.started()).toHaveLength(5);
      expect(await server.running(1)).toBe(1);
    });

    test('removes a server that the session was opened with', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__pid__whoami'],
        mcpServers: { pid: pidServer },
      });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+/);
      expect(await session.mcp.remove('pid')).toEqual({ added: [], removed: ['pid'], errors: {} });
      expect((await session.mcp.status()).mcpServers).toEqual([]);
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      expect(await session.mcp.add({ pid: pidServer })).toMatchObject({ added: ['pid'] });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+/);
    });

    test('distinguishes servers whose names begin alike', async () => {
      await using place = await realPlace(cli);
      const mcpServers = { a: pidServer, a__b: pidServer };
      await using session = await place.open({ ...patched(), mcpServers });
      // Sorted, because the CLI lists servers in the order of their connections.
      const tools = async (name?: string) =>
        (await session.mcp.tools(name)).tools.map(({ serverName, name }) => `${serverName} ${name}`).sort();
      expect(await tools('a')).toEqual(['a whoami']);
      expect(await tools()).toEqual(['a whoami', 'a__b whoami']);
      await session.mcp.disable('a');
      expect(await tools()).toEqual(['a__b whoami']);
    });

    test('disables and enables an in-process server; it has no connection to renew', async () => {
      await using place = await realPlace(cli);
      const now = tool({ name: 'now', description: 'Tells the time', run: () => 'noon' });
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__clock__now'],
        mcpServers: { clock: mcpServer('clock', [now]) },
      });
      const call = () => resultOfTool(place, session, 'mcp__clock__now');
      expect(await call()).toContain('noon');
      expect((await session.mcp.tools('clock')).tools).toMatchObject([
        { name: 'now', serverName: 'clock', description: 'Tells the time' },
      ]);
      expect(await session.mcp.disable('clock')).toMatchObject({ success: true, status: 'disabled' });
      expect(await call()).toMatch(NO_TOOL);
      expect(await session.mcp.enable('clock')).toMatchObject({ status: 'connected', toolsCount: 1 });
      expect(await call()).toContain('noon');
      expect(await session.mcp.reconnect('clock')).toMatchObject({
        success: false,
        status: 'connected',
        error: expect.stringContaining('In-process'),
        how: 'patched',
      });
    });
  },
  { clis: javaScriptClis() },
);

describe('a patched CLI that does not wait for its servers', () => {
  const cli = javaScriptClis().find(({ version }) => version === '2.1.112');
  const MISSING = 'the real CLI 2.1.112 is not installed in test/real-clis';
  const open = (place: RealPlace, server: ProbeServer) => {
    server.next('slow');
    return place.open({
      ...patched(),
      env: { MCP_CONNECTION_NONBLOCKING: '1' },
      allowedTools: ['mcp__pid__whoami'],
      mcpServers: { pid: server.config },
    });
  };

  test('reconnects a server that is still connecting, and leaves one process', async ({ skip }) => {
    if (cli === undefined) return skip(MISSING);
    await using place = await realPlace(cli);
    const server = probeServer(place.folders.tmp);
    await using session = await open(place, server);
    expect((await session.mcp.status()).mcpServers).toMatchObject([{ name: 'pid', status: 'pending' }]);
    await server.untilStarted(1);
    server.next('up');
    expect(await session.mcp.reconnect('pid')).toMatchObject({ success: true, status: 'connected' });
    expect(await server.running(1)).toBe(1);
    expect(await resultOfTool(place, session)).toBe(`pid ${server.started().at(-1)}`);
  });

  test('disables a server that is still connecting, for good', async ({ skip }) => {
    if (cli === undefined) return skip(MISSING);
    await using place = await realPlace(cli);
    const server = probeServer(place.folders.tmp);
    await using session = await open(place, server);
    expect((await session.mcp.status()).mcpServers).toMatchObject([{ name: 'pid', status: 'pending' }]);
    await server.untilStarted(1);
    server.next('up');
    expect(await session.mcp.disable('pid')).toMatchObject({ success: true, status: 'disabled' });
    expect(await server.running(0)).toBe(0);
    expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
    expect((await session.mcp.status()).mcpServers).toMatchObject([{ name: 'pid', status: 'disabled' }]);
    expect(await session.mcp.enable('pid')).toMatchObject({ success: true, status: 'connected' });
    expect(server.started()).toHaveLength(2);
    expect(await resultOfTool(place, session)).toBe(`pid ${server.started().at(-1)}`);
  });
});
