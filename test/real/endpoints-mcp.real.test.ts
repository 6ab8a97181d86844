import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';
import { brokenServer, pidServer, resultOfTool } from './support/tool-turn.js';

const NO_TOOL = /No such tool available/;

describeRealClis('endpoints about MCP servers', (cli) => {
  const isNew = cli.version === '2.1.326';

  test('a server added at run time is reconnected, disabled and enabled, and the next turn shows it', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ allowedTools: ['mcp__pid__whoami'] });
    await session.mcp.set({ pid: pidServer });
    const first = await resultOfTool(place, session);
    expect(first).toMatch(/^pid \d+$/);
    expect(await session.supports('mcp_reconnect', { server: 'pid' })).toMatchObject(
      isNew ? { how: 'native', by: 'mcp_reconnect' } : { how: 'equivalent', by: 'mcp_set_servers' },
    );

    const connected = { success: true, serverName: 'pid', status: 'connected', error: null };
    const toolsCount = isNew ? 1 : null;
    expect(await session.mcp.reconnect('pid')).toMatchObject({ ...connected, toolsCount, remembered: false });
    const second = await resultOfTool(place, session);
    expect(second).toMatch(/^pid \d+$/);
    expect(second).not.toBe(first);

    expect(await session.mcp.disable('pid')).toEqual({
      success: true,
      serverName: 'pid',
      status: 'disabled',
      toolsCount: 0,
      error: null,
      how: 'equivalent',
      remembered: false,
    });
    expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
    expect(await session.mcp.enable('pid')).toMatchObject({ ...connected, toolsCount, remembered: false });
    expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
  });

  test('the tools of servers are listed if the CLI reports them, and refused otherwise', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    await session.mcp.set({ pid: pidServer });
    if (!isNew) {
      const refusal = { code: 'ENDPOINT_UNSUPPORTED', message: expect.stringContaining(cli.version) };
      await expect(session.mcp.tools('pid')).rejects.toMatchObject(refusal);
      await expect(session.mcp.tools()).rejects.toMatchObject(refusal);
      expect(await session.supports('mcp_tools')).toMatchObject({ how: 'no' });
      return;
    }
    const tools = [{ name: 'whoami', serverName: 'pid', annotations: { readOnly: true } }];
    expect(await session.mcp.tools('pid')).toEqual({
      serverName: 'pid',
      tools,
      count: 1,
      namesOnly: ['pid'],
    });
    expect(await session.mcp.tools()).toEqual({ serverName: null, tools, count: 1, namesOnly: ['pid'] });
    await expect(session.mcp.tools('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_UNKNOWN' });
  });

  test('the tools of an in-process server are reported by the host, on every version', async () => {
    await using place = await realPlace(cli);
    const now = tool({ name: 'now', description: 'Tells the time', run: () => 'noon' });
    await using session = await place.open({ mcpServers: { clock: mcpServer('clock', [now]) } });
    expect(await session.mcp.tools('clock')).toMatchObject({
      serverName: 'clock',
      count: 1,
      tools: [
        { name: 'now', serverName: 'clock', description: 'Tells the time', inputSchema: { type: 'object' } },
      ],
    });
    expect(await session.supports('mcp_tools', { server: 'clock' })).toMatchObject({ how: 'equivalent' });
  });

  test('an unknown server, and one that cannot start, give the reason at once', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    const refusal = { code: 'MCP_SERVER_UNKNOWN', message: expect.stringContaining('nobody') };
    await expect(session.mcp.reconnect('nobody')).rejects.toMatchObject(refusal);
    await expect(session.mcp.disable('nobody')).rejects.toMatchObject(refusal);
    await expect(session.mcp.enable('nobody')).rejects.toMatchObject(refusal);
    expect(await session.supports('mcp_disable', { server: 'nobody' })).toMatchObject({
      how: 'no',
      help: expect.stringContaining('nobody'),
    });
    await session.mcp.set({ broken: brokenServer });
    expect(await session.mcp.reconnect('broken')).toMatchObject({
      success: false,
      serverName: 'broken',
      status: 'failed',
      error: expect.stringMatching(/connection/i),
    });
  });

  test('the Chrome extension: unknown values are null', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    const known = isNew
      ? { installed: false, enabled: false, connected: false }
      : { installed: null, enabled: null, connected: false };
    expect(await session.chrome.status()).toEqual({
      ...known,
      mcpServerStatus: null,
      extensionVersion: null,
    });
    await expect(session.chrome.reconnect()).rejects.toMatchObject({
      message: expect.stringContaining('claude-in-chrome'),
    });
  });

  test('the Chrome extension is found in the browser’s folder, as the CLI itself finds it', async () => {
    await using place = await realPlace(cli);
    const patched = cli.path.endsWith('.js')
      ? { patched: { cacheFolder: join(place.folders.home, 'copies') } }
      : {};
    const extensions = join(place.folders.home, '.config/google-chrome/Default/Extensions');
    mkdirSync(join(extensions, 'nkeimhogjdpnpccoofpliimaahmaaome', '9.9_0'), { recursive: true });
    const look = async () => {
      await using session = await place.open(patched);
      const { installed, extensionVersion } = await session.chrome.status();
      return { installed, extensionVersion };
    };
    expect(await look()).toEqual({ installed: false, extensionVersion: null });
    mkdirSync(join(extensions, 'fcoeoabgfenejglbffodgkkbkcdhcgfn', '1.0.36_0'), { recursive: true });
    expect(await look()).toEqual({ installed: true, extensionVersion: '1.0.36' });
  });

  test("a disabled mode gives the CLI's own reason, and the session continues", async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      settings: { permissions: { disableBypassPermissionsMode: 'disable' } },
    });
    await expect(session.setPermissionMode('bypassPermissions')).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringMatching(/bypassPermissions/),
    });
    expect(await session.setPermissionMode('plan')).toEqual({ mode: 'plan' });
  });

  test('a mode that the CLI does not know is refused', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    await expect(session.control<string>('set_permission_mode', { mode: 'askAlways' })).rejects.toMatchObject(
      {
        code: isNew ? 'REQUEST_REFUSED' : 'ENDPOINT_UNSUPPORTED',
        message: expect.stringContaining('acceptEdits'),
      },
    );
    expect(await session.setPermissionMode('dontAsk')).toEqual({ mode: 'dontAsk' });
  });
});

describeRealClis(
  'servers that were not added at run time',
  (cli) => {
    test('from the command line: only newer CLIs can change them, and supports() says so', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ mcpServers: { pid: pidServer }, serversAtLaunch: true });
      for (const endpoint of ['mcp_reconnect', 'mcp_disable', 'mcp_enable'] as const) {
        expect(await session.supports(endpoint, { server: 'pid' })).toMatchObject({
          how: 'no',
          help: expect.stringContaining('serversAtLaunch'),
        });
      }
      await expect(session.mcp.reconnect('pid')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    });
  },
  ['2.0.73', '2.1.17'],
);

describeRealClis(
  'servers from settings files',
  (cli) => {
    test('can be changed by 2.1.17 and newer; a disabled server is remembered for the folder', async () => {
      await using place = await realPlace(cli);
      const settings = join(place.folders.home, '.claude.json');
      await writeFile(settings, JSON.stringify({ mcpServers: { pid: pidServer } }));
      await using session = await place.open({
        allowedTools: ['mcp__pid__whoami'],
        settingSources: ['user', 'local'],
      });
      const isNew = cli.version === '2.1.326';
      const first = await resultOfTool(place, session);
      expect(await session.mcp.reconnect('pid')).toMatchObject({
        success: true,
        status: 'connected',
        how: 'native',
        toolsCount: isNew ? 1 : null,
      });
      expect(await resultOfTool(place, session)).not.toBe(first);

      if (!isNew) {
        await expect(session.mcp.disable('pid')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
        return;
      }
      expect(await session.mcp.disable('pid')).toMatchObject({
        success: true,
        status: 'disabled',
        toolsCount: 0,
        error: null,
        remembered: true,
      });
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      const { projects } = JSON.parse(await readFile(settings, 'utf8'));
      expect(Object.values(projects)).toMatchObject([{ disabledMcpServers: ['pid'] }]);

      expect(await session.mcp.enable('pid')).toMatchObject({ success: true, status: 'connected' });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
    });
  },
  ['2.1.17', '2.1.326'],
);
