import { describe, expect, test } from 'vitest';
import type { RequestBody } from '../../../../../src/wire/protocol/frames.js';
import { sessionOn } from '../endpoints/patched-peer.js';

const files = { command: 'files' };

/** A CLI of an old version that keeps the set of servers as the real ones do. */
function oldServers(broken: readonly string[] = []) {
  let servers: Record<string, unknown> = {};
  return {
    mcp_set_servers: ({ servers: wanted }: RequestBody) => {
      servers = wanted as Record<string, unknown>;
      const errors = Object.fromEntries(
        Object.keys(servers).flatMap((name) => (broken.includes(name) ? [[name, 'Connection failed']] : [])),
      );
      return { added: Object.keys(servers), removed: [], errors };
    },
    mcp_status: () => ({
      mcpServers: Object.keys(servers).map((name) => ({
        name,
        status: broken.includes(name) ? 'failed' : 'connected',
      })),
    }),
  };
}

describe.each(['2.0.73', '2.1.17'])('a server given at run time to %s', (version) => {
  test('is taken out and put back to reconnect it, while the others stay', async () => {
    const { session, asked } = await sessionOn({ version }, oldServers());
    await session.control('mcp_set_servers', { servers: { files, notes: files } });
    expect(await session.mcp.reconnect('files')).toMatchObject({
      success: true,
      status: 'connected',
      toolsCount: null,
      how: 'equivalent',
      derived: false,
      remembered: false,
    });
    const sets = asked.filter(({ subtype }) => subtype === 'mcp_set_servers').slice(1);
    expect(sets.map(({ servers }) => servers)).toEqual([{ notes: files }, { notes: files, files }]);
    await session.close();
  });

  test('stays off until it is switched on, and can be switched on again after that', async () => {
    const { session } = await sessionOn({ version }, oldServers());
    await session.control('mcp_set_servers', { servers: { files } });
    expect(await session.mcp.disable('files')).toMatchObject({ status: 'disabled', derived: true });
    expect(await session.mcp.disable('files')).toMatchObject({ status: 'disabled' });
    expect(await session.supports('mcp_enable', { server: 'files' })).toMatchObject({ how: 'equivalent' });
    expect((await session.mcp.status()).mcpServers).toEqual([]);
    expect(await session.mcp.enable('files')).toMatchObject({ success: true, status: 'connected' });
    await session.close();
  });

  test('that cannot start is reported as failed, with the reason', async () => {
    const { session } = await sessionOn({ version }, oldServers(['files']));
    await session.control('mcp_set_servers', { servers: { files } });
    expect(await session.mcp.reconnect('files')).toMatchObject({
      success: false,
      status: 'failed',
      error: 'Connection failed',
    });
    await session.close();
  });
});

describe('natives', () => {
  const row = { name: 'files', status: 'connected', tools: [{ name: 'a' }, { name: 'b' }] };
  const refuse = (reason: string) => () => {
    throw new Error(reason);
  };

  test('2.1.325 only acknowledges: state and tools are read afterwards, afresh each time', async () => {
    const { session, asked } = await sessionOn(
      { version: '2.1.325' },
      { mcp_reconnect: () => undefined, mcp_status: () => ({ mcpServers: [row] }) },
    );
    expect(await session.mcp.reconnect('files')).toMatchObject({ status: 'connected', toolsCount: 2 });
    await session.mcp.reconnect('files');
    expect(asked.map(({ subtype }) => subtype)).toEqual([
      'mcp_reconnect',
      'mcp_status',
      'mcp_reconnect',
      'mcp_status',
    ]);
    await session.close();
  });

  test('an in-process server that was switched on is on its way while the list leaves it out', async () => {
    const { session } = await sessionOn(
      { version: '2.1.325' },
      { mcp_toggle: () => undefined, mcp_status: () => ({ mcpServers: [] }) },
    );
    expect(await session.mcp.enable('clock')).toMatchObject({ success: true, status: null, error: null });
    expect(await session.mcp.disable('clock')).toMatchObject({ success: false, status: null });
    await session.close();
  });

  test('a refusal about a server that is listed becomes an answer, about an unknown one an error', async () => {
    const { session } = await sessionOn(
      { version: '2.1.325' },
      { mcp_toggle: refuse('it is broken'), mcp_status: () => ({ mcpServers: [row] }) },
    );
    expect(await session.mcp.enable('files')).toMatchObject({ success: false, error: 'it is broken' });
    await expect(session.mcp.enable('nobody')).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
    await session.close();
  });

  test('2.1.17 does not find servers that it lists from elsewhere: that is unsupported', async () => {
    const { session } = await sessionOn(
      { version: '2.1.17' },
      { mcp_reconnect: refuse('Server not found: files'), mcp_status: () => ({ mcpServers: [row] }) },
    );
    await expect(session.mcp.reconnect('files')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    await session.close();
  });

  test('2.0.73 tells a server that it cannot reach from one that is not there', async () => {
    const { session } = await sessionOn({ version: '2.0.73' }, { mcp_status: () => ({ mcpServers: [row] }) });
    await expect(session.mcp.reconnect('files')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    await expect(session.mcp.disable('nobody')).rejects.toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
      message: 'The CLI has no MCP server "nobody"; it has: files.',
    });
    await session.close();
  });

  test('2.1.17 switches a server of settings files off only later, and says so', async () => {
    const { session } = await sessionOn(
      { version: '2.1.17' },
      { mcp_toggle: () => undefined, mcp_status: () => ({ mcpServers: [row] }) },
    );
    expect(await session.mcp.disable('files')).toMatchObject({
      success: false,
      error: expect.stringContaining('next session'),
      remembered: true,
    });
    expect(await session.mcp.enable('files')).toMatchObject({ success: true, derived: true });
    await session.close();
  });
});

describe('supports', () => {
  test('asks whether the server is there, and knows that in-process servers have no connection', async () => {
    const rows = [{ name: 'clock', status: 'connected', transport: 'sdk' }];
    const { session } = await sessionOn({ version: '2.1.325' }, { mcp_status: () => ({ mcpServers: rows }) });
    expect(await session.supports('mcp_reconnect', { server: 'clock' })).toMatchObject({ how: 'no' });
    expect(await session.supports('mcp_disable', { server: 'clock' })).toMatchObject({ how: 'equivalent' });
    expect(await session.supports('mcp_disable', { server: 'nobody' })).toMatchObject({ how: 'no' });
    expect(await session.supports('set_max_thinking_tokens')).toMatchObject({
      note: expect.stringContaining('without effect'),
    });
    await expect(session.supports('nonsense' as 'mcp_status')).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
    await session.close();
  });
});

describe('chrome', () => {
  test('2.1.325 tells what its dialog shows, and the state of the server', async () => {
    const { session } = await sessionOn(
      { version: '2.1.325' },
      {
        get_chrome_dialog: () => ({ installed: true, connected: true, enabled_by_default: false }),
        mcp_status: () => ({ mcpServers: [{ name: 'claude-in-chrome', status: 'needs-auth' }] }),
      },
    );
    expect(await session.chrome.status()).toEqual({
      installed: true,
      enabled: false,
      connected: true,
      mcpServerStatus: 'needs-auth',
      extensionVersion: null,
    });
    await session.close();
  });
});
