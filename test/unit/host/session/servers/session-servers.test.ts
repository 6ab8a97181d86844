import { describe, expect, test, vi } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import type { McpServerMap } from '../../../../../src/host/mcp/server-option.js';
import {
  type ServerOptions,
  SessionServers,
} from '../../../../../src/host/session/servers/session-servers.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import type { Diagnostic } from '../../../../../src/wire/util/diagnostics.js';
import { CoxswainError } from '../../../../../src/wire/util/errors.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { requestContext } from '../../../../support/request-context.js';
import { RpcServer } from '../../../../support/rpc-server.js';

function sessionServers(mcpServers: McpServerMap, options: ServerOptions = {}) {
  const told: Diagnostic[] = [];
  const asked: [string, WireObject][] = [];
  const clock = new ManualClock();
  const servers = new SessionServers(
    { mcpServers, ...options },
    { session: { id: 's' }, clock, onDiagnostic: (diagnostic) => told.push(diagnostic) },
  );
  const answers: Record<string, WireObject> = {};
  const ask = async (subtype: string, params: WireObject): Promise<WireObject> => {
    asked.push([subtype, params]);
    return answers[subtype] ?? {};
  };
  const handle = async (name: string, message: WireObject) => {
    const body = { subtype: 'mcp_message', server_name: name, message };
    return servers.handlerBeside(undefined)(body, requestContext('r'));
  };
  return { servers, told, asked, answers, ask, clock, handle };
}

const initialized = { method: 'notifications/initialized' };
const files = { command: 'node', args: [] };

const on = (version: string) => capabilitiesOf({ version });

describe('the servers of a session', () => {
  test('serve a CLI as soon as it has started, and are closed with it', async () => {
    const clock = new RpcServer();
    const { servers, ask, asked, handle } = sessionServers({ clock, files });
    await expect(handle('clock', initialized)).rejects.toThrow('is not in this session');
    servers.attach(ask);
    expect(await handle('clock', initialized)).toEqual({ mcp_response: {} });
    await clock.send({ method: 'notifications/tools/list_changed' });
    expect(asked).toMatchObject([
      ['mcp_message', { server_name: 'clock', message: { method: 'notifications/tools/list_changed' } }],
    ]);
    servers.detach();
    expect(clock.closed).toBe(true);
    expect(servers.inProcessNames).toEqual(['clock']);
  });

  test('get a new connection for each further CLI', async () => {
    const made: RpcServer[] = [];
    const make = () => {
      const server = new RpcServer();
      made.push(server);
      return server;
    };
    const { servers, ask, handle } = sessionServers({ clock: make });
    for (let start = 0; start < 2; start += 1) {
      servers.attach(ask);
      await handle('clock', initialized);
    }
    expect(made.map(({ closed }) => closed)).toEqual([true, false]);
  });

  test('cannot send to a CLI that has not started yet', async () => {
    const { servers } = sessionServers({});
    servers.bridge.add('early', new RpcServer());
    await expect(servers.bridge.ready('other')).rejects.toThrow('"other" is not in this session');
  });

  test('in every set are the in-process ones, except for 2.0.73', () => {
    const { servers } = sessionServers({ clock: new RpcServer(), files });
    expect(servers.keptOn(on('2.1.17'))).toEqual({ clock: { type: 'sdk', name: 'clock' } });
    expect(servers.keptOn(on('2.0.73'))).toEqual({});
  });

  test('list their tools themselves', async () => {
    const { servers, ask } = sessionServers({ clock: new RpcServer(), files });
    servers.attach(ask);
    expect(servers.tools('files')).toBeUndefined();
    expect(await servers.tools('clock')).toEqual([
      { name: 'now', serverName: 'clock', inputSchema: { type: 'object' } },
    ]);
  });

  test('name tool fields as CLIs do, and are read page by page', async () => {
    const paged = new RpcServer({});
    const { servers, ask } = sessionServers({ paged });
    servers.attach(ask);
    const tools = servers.tools('paged');
    const page = (number: number) =>
      vi.waitFor(() => {
        const request = paged.requests('tools/list')[number];
        expect(request).toBeDefined();
        return request;
      });
    const annotations = { title: 'Tide', readOnlyHint: true, openWorldHint: false };
    await paged.answer(await page(0), { tools: [{ name: 'tide', annotations }], nextCursor: 'more' });
    expect((await page(1))?.params).toEqual({ cursor: 'more' });
    await paged.answer(await page(1), { tools: [{ name: 'wind' }] });
    expect(await tools).toEqual([
      {
        name: 'tide',
        serverName: 'paged',
        annotations: { title: 'Tide', readOnly: true, openWorld: false },
      },
      { name: 'wind', serverName: 'paged' },
    ]);
  });

  test('that cannot list their tools have none', async () => {
    const { servers, ask } = sessionServers({ broken: () => Promise.reject(new Error('no')) });
    servers.attach(ask);
    expect(await servers.tools('broken')).toEqual([]);
  });
});

describe('a CLI that was just started', () => {
  test('gets the servers set at run time again, and a failing server is reported by name', async () => {
    const { servers, ask, asked, answers, told } = sessionServers({ clock: new RpcServer() });
    servers.list.replaceAdded({ files });
    answers.mcp_set_servers = { added: ['files'], errors: { files: 'spawn ENOENT' } };
    servers.attach(ask);
    await servers.prepare(on('2.1.326'), {});
    expect(asked).toEqual([
      ['mcp_set_servers', { servers: { clock: { type: 'sdk', name: 'clock' }, files } }],
    ]);
    expect(told).toMatchObject([{ code: 'MCP_SERVER_FAILED', server: 'files', message: /spawn ENOENT/ }]);
  });

  test('gets the servers it was not started with, and every later set includes them', async () => {
    const { servers, ask, asked } = sessionServers({ clock: new RpcServer(), files, launched: files });
    servers.attach(ask);
    const kept = await servers.prepare(on('2.0.73'), { serversToSet: () => ['files'] });
    expect(asked).toEqual([['mcp_set_servers', { servers: { files } }]]);
    expect([kept, servers.keptOn(on('2.0.73'))]).toEqual([{ files }, { files }]);
    servers.list.drop('files');
    expect(servers.keptOn(on('2.0.73'))).toEqual({});
  });

  test('that does not set its servers in time fails the open with their names', async () => {
    const { servers } = sessionServers({ files }, { handshakeMs: 5 });
    const deadlines: unknown[] = [];
    servers.attach((subtype, _params, options) => {
      deadlines.push(options?.deadlineMs);
      return Promise.reject(new CoxswainError('REQUEST_TIMEOUT', `${subtype} took too long`));
    });
    const cli = { serversToSet: () => ['files'], stderrTail: () => 'still connecting' };
    await expect(servers.prepare(on('2.0.73'), cli)).rejects.toMatchObject({
      name: 'OpenError',
      code: 'MCP_NOT_READY',
      mcpServersPending: ['files'],
      stderrTail: 'still connecting',
    });
    expect(deadlines).toEqual([5]);
    const refused = new Error('the pipe broke');
    servers.attach(() => Promise.reject(refused));
    await expect(servers.prepare(on('2.0.73'), cli)).rejects.toBe(refused);
  });

  test('gets no request if there is nothing to do', async () => {
    const { servers, ask, asked } = sessionServers({ files });
    servers.attach(ask);
    await servers.prepare(on('2.1.326'), {});
    expect(asked).toEqual([]);
  });

  test('is waited for until the named servers are connected', async () => {
    const { servers, ask, asked, answers } = sessionServers({ files }, { waitForServers: ['files'] });
    answers.mcp_status = { mcpServers: [{ name: 'files', status: 'connected' }] };
    servers.attach(ask);
    await servers.prepare(on('2.1.326'), {});
    expect(asked).toEqual([['mcp_status', {}]]);
    answers.mcp_status = { mcpServers: [{ name: 'files', status: 'failed' }] };
    await expect(servers.prepare(on('2.1.326'), {})).rejects.toMatchObject({ code: 'MCP_NOT_READY' });
  });
});

describe('being ready', () => {
  test('is reported once per state if a turn begins without it', () => {
    const { servers, told } = sessionServers({ clock: new RpcServer(), files });
    const init = { mcp_servers: [{ name: 'files', status: 'pending' }] };
    servers.noteInit(init, () => false);
    servers.noteInit(init, () => false);
    const connected = ['files', 'clock'].map((name) => ({ name, status: 'connected' }));
    servers.noteInit({ mcp_servers: connected }, () => false);
    expect(told).toMatchObject([{ code: 'MCP_NOT_READY', servers: ['clock', 'files'] }]);
  });

  test('is not expected of a disabled server', () => {
    const { servers, told } = sessionServers({ files });
    servers.noteInit({ mcp_servers: [] }, (server) => server === 'files');
    expect(told).toEqual([]);
  });

  test('is waited for no longer than the setup may take', async () => {
    const { servers, ask, clock, handle } = sessionServers(
      { a: new RpcServer(), b: new RpcServer() },
      { mcpSetupMs: 50 },
    );
    servers.attach(ask);
    await handle('a', initialized);
    expect(await servers.whyNotReady('a')).toBeUndefined();
    const late = servers.whyNotReady('b');
    await Promise.resolve();
    clock.advance(50);
    expect(await late).toBe('the CLI did not complete its handshake within 50 ms');
    expect(await servers.whyNotReady('c')).toMatch(/"c" is not in this session/);
    expect(clock.size).toBe(0);
  });
});
