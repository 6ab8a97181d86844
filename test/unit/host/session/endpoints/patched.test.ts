import { describe, expect, test } from 'vitest';
import { sessionOn } from './patched-peer.js';

const ALL = [
  'agent_run_to_background',
  'get_chrome_status',
  'mcp_reconnect',
  'mcp_tools',
  'mcp_disable',
  'mcp_enable',
];

const report = { success: true, server_name: 'x', status: 'connected', tools_count: 2, error: null };

describe('on a patched CLI 2.0.73', () => {
  test('servers are changed with the requests of the patches, in their spelling', async () => {
    const { session, asked } = await sessionOn(
      { version: '2.0.73', patched: ALL },
      {
        mcp_reconnect: () => report,
        mcp_enable: () => ({ ...report, success: false, status: 'failed', error: 'no such program' }),
        mcp_disable: () => ({ ...report, status: 'disabled', tools_count: 0 }),
      },
    );
    const common = { serverName: 'x', how: 'patched', remembered: false };
    expect(await session.mcp.reconnect('x')).toEqual({
      ...common,
      success: true,
      status: 'connected',
      toolsCount: 2,
      error: null,
    });
    expect(await session.mcp.enable('x')).toMatchObject({ success: false, error: 'no such program' });
    expect(await session.mcp.disable('x')).toMatchObject({ status: 'disabled', toolsCount: 0 });
    expect(asked.map(({ subtype, server_name: name }) => [subtype, name])).toEqual([
      ['mcp_reconnect', 'x'],
      ['mcp_enable', 'x'],
      ['mcp_disable', 'x'],
    ]);
    expect(await session.supports('mcp_reconnect')).toEqual({ how: 'patched', by: 'mcp_reconnect' });
    await session.close();
  });

  test('tools have description and schema if the CLI reports them, and not otherwise', async () => {
    const tools = [
      { name: 'a', server_name: 'x', description: 'd', inputSchema: { type: 'object' } },
      { name: 'b', server_name: 'y', annotations: { readOnly: true } },
    ];
    const { session } = await sessionOn(
      { version: '2.0.73', patched: ALL },
      { mcp_tools: () => ({ server_name: null, tools, count: 2 }) },
    );
    expect(await session.mcp.tools()).toEqual({
      serverName: null,
      count: 2,
      tools: [
        { name: 'a', serverName: 'x', description: 'd', inputSchema: { type: 'object' } },
        { name: 'b', serverName: 'y', annotations: { readOnly: true } },
      ],
      namesOnly: ['y'],
    });
    await session.close();
  });

  test('the Chrome extension and background work have their own requests', async () => {
    const { session, asked } = await sessionOn(
      { version: '2.0.73', patched: ALL },
      {
        get_chrome_status: () => ({ installed: true, enabled: false, connected: 'nonsense' }),
        agent_run_to_background: ({ target_id: id }) => ({ backgrounded: id === 't' }),
      },
    );
    expect(await session.chrome.status()).toEqual({
      installed: true,
      enabled: false,
      connected: null,
      mcpServerStatus: null,
      extensionVersion: null,
    });
    expect(await session.background('t', { waitMs: 7 })).toEqual({ backgrounded: true });
    expect(await session.background()).toEqual({ backgrounded: false });
    expect(asked.slice(1)).toEqual([
      { subtype: 'agent_run_to_background', target_id: 't', wait_ms: 7 },
      { subtype: 'agent_run_to_background', wait_ms: 0 },
    ]);
    await session.close();
  });

  test("the CLI's own reason reaches the caller", async () => {
    const refuse = () => {
      throw new Error('Server not found: nobody');
    };
    const { session } = await sessionOn(
      { version: '2.0.73', patched: ALL },
      { mcp_tools: refuse, mcp_status: () => ({ mcpServers: [] }) },
    );
    await expect(session.mcp.tools('nobody')).rejects.toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
      cause: { reason: 'Server not found: nobody' },
    });
    await expect(session.mcp.tools()).rejects.toMatchObject({ code: 'REQUEST_REFUSED' });
    await session.close();
  });
});

describe('a message with a parent', () => {
  test('is sent unchanged to a patched CLI', async () => {
    const { session, firstMessage } = await sessionOn({ version: '2.0.73', patched: ['parentUuid'] }, {});
    const turn = session.send('again', { parentUuid: 'earlier', uuid: 'mine' });
    expect(await firstMessage).toMatchObject({ type: 'user', uuid: 'mine', parentUuid: 'earlier' });
    await session.close();
    expect((await turn.outcome).kind).toBe('closed');
  });

  test('is refused by every other CLI, with an alternative', async () => {
    const { session } = await sessionOn({ version: '2.1.326' }, {});
    const turn = session.send('again', { parentUuid: 'earlier' });
    expect(await turn.outcome).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/2\.1\.326.*earlier.*resumeSessionAt and forkSession/),
    });
    await session.close();
  });
});
