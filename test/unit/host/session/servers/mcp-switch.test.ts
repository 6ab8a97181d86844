import { describe, expect, test } from 'vitest';
import type { RequestBody } from '../../../../../src/wire/protocol/frames.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';
import { settle } from '../../../../support/settle.js';
import { sessionOn } from '../endpoints/patched-peer.js';

const files = { command: 'files' };

/** A CLI of an old version that keeps its set of servers like a real one. */
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

describe.each(['2.0.73', '2.1.17'])('a server added at run time to %s', (version) => {
  test('is removed and added again to reconnect it, while the others stay', async () => {
    const { session, asked } = await sessionOn({ version }, oldServers());
    await session.control('mcp_set_servers', { servers: { files, notes: files } });
    expect(await session.mcp.reconnect('files')).toMatchObject({
      success: true,
      status: 'connected',
      toolsCount: null,
      how: 'equivalent',
      remembered: false,
    });
    const sets = asked.filter(({ subtype }) => subtype === 'mcp_set_servers').slice(1);
    expect(sets.map(({ servers }) => servers)).toEqual([{ notes: files }, { notes: files, files }]);
    await session.close();
  });

  test('stays disabled until it is enabled, and can be disabled again after that', async () => {
    const { session } = await sessionOn({ version }, oldServers());
    await session.control('mcp_set_servers', { servers: { files } });
    expect(await session.mcp.disable('files')).toMatchObject({ success: true, status: 'disabled' });
    expect(await session.mcp.disable('files')).toMatchObject({ status: 'disabled' });
    expect(await session.supports('mcp_enable', { server: 'files' })).toMatchObject({ how: 'equivalent' });
    expect((await session.mcp.status()).mcpServers).toEqual([{ name: 'files', status: 'disabled' }]);
    expect(await session.mcp.tools('files')).toMatchObject({ tools: [], count: 0 });
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

describe('native requests', () => {
  const row = { name: 'files', status: 'connected', tools: [{ name: 'a' }, { name: 'b' }] };
  const refuse = (reason: string) => () => {
    throw new Error(reason);
  };

  test('2.1.326 only acknowledges: state and tools are read afterwards, each time', async () => {
    const { session, asked } = await sessionOn(
      { version: '2.1.326' },
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

  test('waits for a server that is still connecting or not listed yet, but not forever', async () => {
    const rows: object[][] = [
      [],
      [{ name: 'clock', status: 'pending' }],
      [{ name: 'clock', status: 'connected' }],
    ];
    const { session, clock } = await sessionOn(
      { version: '2.1.326' },
      { mcp_toggle: () => undefined, mcp_status: () => ({ mcpServers: rows.shift() ?? [] }) },
    );
    const enabled = session.mcp.enable('clock');
    for (let look = 0; look < 2; look += 1) {
      await settle();
      clock.advance(100);
    }
    expect(await enabled).toMatchObject({ success: true, status: 'connected', error: null });
    const again = session.mcp.enable('clock', { deadlineMs: 50 });
    await settle();
    clock.advance(50);
    expect(await again).toMatchObject({ success: false, status: null, error: /does not list it/ });
    expect(await session.mcp.disable('clock')).toMatchObject({ success: false, status: null });
    await session.close();
  });

  test('a connecting server is disabled once it is connected, if it would otherwise come back', async () => {
    const rows = ['pending', 'connected', 'disabled'].map((status) => ({ name: 'clock', status }));
    const { session, clock, asked } = await sessionOn(
      { version: '2.1.260' },
      { mcp_toggle: () => undefined, mcp_status: () => ({ mcpServers: [rows.shift()] }) },
    );
    const off = session.mcp.disable('clock');
    await settle();
    expect(asked.map(({ subtype }) => subtype)).toEqual(['mcp_status']);
    clock.advance(100);
    expect(await off).toMatchObject({ success: true, status: 'disabled' });
    expect(asked.map(({ subtype }) => subtype)).toEqual([
      'mcp_status',
      'mcp_status',
      'mcp_toggle',
      'mcp_status',
    ]);
    await session.close();
  });

  test('changes of one server run one after the other, those of other servers in parallel', async () => {
    const order: string[] = [];
    const gate = deferred<void>();
    const { session } = await sessionOn(
      { version: '2.1.326' },
      {
        mcp_reconnect: async ({ serverName: name }) => {
          order.push(`begin ${name}`);
          if (order.length === 1) await gate.promise;
          order.push(`end ${name}`);
        },
        mcp_toggle: ({ serverName: name }) => void order.push(`toggle ${name}`),
        mcp_status: () => ({ mcpServers: [row, { ...row, name: 'notes' }] }),
      },
    );
    const first = session.mcp.reconnect('files');
    const second = session.mcp.enable('files');
    const given = new AbortController();
    const third = session.mcp.disable('files', { signal: given.signal });
    given.abort();
    await session.mcp.reconnect('notes');
    expect(order).toEqual(['begin files', 'begin notes', 'end notes']);
    gate.resolve();
    await Promise.all([first, second]);
    await expect(third).rejects.toThrow();
    expect(order.slice(3)).toEqual(['end files', 'toggle files']);
    await session.close();
  });

  test('a refusal about a listed server becomes an answer, about an unknown one an error', async () => {
    const { session } = await sessionOn(
      { version: '2.1.326' },
      { mcp_toggle: refuse('it is broken'), mcp_status: () => ({ mcpServers: [row] }) },
    );
    expect(await session.mcp.enable('files')).toMatchObject({ success: false, error: 'it is broken' });
    await expect(session.mcp.enable('nobody')).rejects.toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
      cause: { reason: 'it is broken' },
    });
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

  test('2.0.73 distinguishes a server that it cannot change from an unknown one', async () => {
    const { session } = await sessionOn({ version: '2.0.73' }, { mcp_status: () => ({ mcpServers: [row] }) });
    await expect(session.mcp.reconnect('files')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    await expect(session.mcp.disable('nobody')).rejects.toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
      message: 'The CLI has no MCP server "nobody"; it has: files.',
    });
    await session.close();
  });

  test('2.1.17 cannot disable a server from settings files: it is refused, and nothing is sent', async () => {
    const { session, asked } = await sessionOn(
      { version: '2.1.17' },
      { mcp_toggle: () => undefined, mcp_status: () => ({ mcpServers: [row] }) },
    );
    await expect(session.mcp.disable('files')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    expect(asked.map(({ subtype }) => subtype)).not.toContain('mcp_toggle');
    expect(await session.mcp.enable('files')).toMatchObject({ success: true, remembered: true });
    await session.close();
  });

  test.each([
    ['mcp_enable', 'disabled', /lists it as disabled.*later sessions/],
    ['mcp_reconnect', 'failed', /lists it as failed/],
  ] as const)('an acknowledged %s is no success while the list says %s', async (change, status, error) => {
    const { session } = await sessionOn(
      { version: '2.1.17' },
      {
        mcp_toggle: () => undefined,
        mcp_reconnect: () => undefined,
        mcp_status: () => ({ mcpServers: [{ name: 'files', status }] }),
      },
    );
    const made = change === 'mcp_enable' ? session.mcp.enable('files') : session.mcp.reconnect('files');
    expect(await made).toMatchObject({ success: false, status, error: expect.stringMatching(error) });
    await session.close();
  });

  test('a method about an unknown server has the same error, others keep theirs', async () => {
    const { session } = await sessionOn(
      { version: '2.1.326' },
      { mcp_read_resource: refuse('no idea'), mcp_status: () => ({ mcpServers: [row] }) },
    );
    await expect(session.mcp.readResource('nobody', 'ui://x')).rejects.toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
    });
    await expect(session.mcp.readResource('files', 'ui://x')).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      reason: 'no idea',
    });
    await session.close();
  });
});

describe('supports', () => {
  test('checks whether the server exists, and knows that in-process servers have no connection', async () => {
    const rows = [{ name: 'clock', status: 'connected', transport: 'sdk' }];
    const { session } = await sessionOn({ version: '2.1.326' }, { mcp_status: () => ({ mcpServers: rows }) });
    expect(await session.supports('mcp_reconnect', { server: 'clock' })).toMatchObject({ how: 'no' });
    expect(await session.supports('mcp_disable', { server: 'clock' })).toMatchObject({ how: 'equivalent' });
    expect(await session.supports('mcp_disable', { server: 'nobody' })).toMatchObject({ how: 'no' });
    expect(await session.supports('set_max_thinking_tokens')).toMatchObject({
      note: expect.stringContaining('no effect'),
    });
    await expect(session.supports('nonsense' as 'mcp_status')).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
    await session.close();
  });
});

describe('chrome', () => {
  test('2.1.326 reports the contents of its dialog, and the state of the server', async () => {
    const { session } = await sessionOn(
      { version: '2.1.326' },
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
