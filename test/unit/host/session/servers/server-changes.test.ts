import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { MessageDispatcher } from '../../../../../src/host/core/messages/message-dispatcher.js';
import type { McpServerMap } from '../../../../../src/host/mcp/server-option.js';
import { TaskList } from '../../../../../src/host/session/endpoints/task-list.js';
import { DynamicServers, type McpServers } from '../../../../../src/host/session/servers/dynamic-servers.js';
import {
  addServers,
  type ChangeJob,
  removeServer,
  setServers,
} from '../../../../../src/host/session/servers/server-changes.js';
import { SessionServers } from '../../../../../src/host/session/servers/session-servers.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { KeyedQueue } from '../../../../../src/wire/util/keyed-queue.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { RpcServer } from '../../../../support/rpc-server.js';
import { settle } from '../../../../support/settle.js';

const sdk = (name: string) => ({ type: 'sdk', name }) as const;
const files = { command: 'node', args: ['files.mjs'] };
const notes = { command: 'node', args: ['notes.mjs'] };

/** A CLI that records the sets it gets, and completes the handshake with new in-process servers like 2.1.17 and newer. */
function onCli(version: string, given: McpServerMap = {}) {
  const clock = new ManualClock();
  const capabilities = capabilitiesOf({ version });
  const servers = new SessionServers(
    { mcpServers: given, mcpSetupMs: 1_000 },
    { session: { id: 's' }, clock, onDiagnostic: () => {} },
  );
  const dynamic = new DynamicServers();
  dynamic.note(servers.keptOn(capabilities));
  servers.attach(async () => ({}));
  const sets: McpServers[] = [];
  const errors: Record<string, string> = {};
  let known: readonly string[] = Object.keys(servers.keptOn(capabilities));
  let shakesHands = true;
  const greet = async (name: string) => {
    const hello: WireObject = {
      subtype: 'mcp_message',
      server_name: name,
      message: { method: 'notifications/initialized' },
    };
    await servers.bridge.handle(hello);
  };
  const job: ChangeJob = {
    facts: {
      capabilities,
      launched: new Set(Object.keys(given)),
      dynamic,
      serverQueue: new KeyedQueue(),
      tasks: new TaskList(new MessageDispatcher({ receive: () => {} })),
      clock,
      servers,
      ownTools: () => undefined,
    },
    servers,
    dropPatched: async () => ({}),
    options: undefined,
    send: async (set) => {
      sets.push(set);
      const added = Object.keys(set).filter((name) => !known.includes(name));
      const removed = known.filter((name) => !Object.hasOwn(set, name));
      known = Object.keys(set);
      if (shakesHands) for (const name of added) if (set[name]?.type === 'sdk') await greet(name);
      return {
        added,
        removed,
        errors: Object.fromEntries(Object.entries(errors).filter(([name]) => name in set)),
      };
    },
  };
  return {
    job,
    sets,
    servers,
    dynamic,
    clock,
    errors,
    mute: () => {
      shakesHands = false;
    },
  };
}

describe('setting servers', () => {
  test.each(['2.1.17', '2.1.326'])(
    'includes the given in-process servers, or %s would drop them',
    async (version) => {
      const { job, sets } = onCli(version, { clock: new RpcServer() });
      expect(await setServers({ files }, job)).toEqual({ added: ['files'], removed: [], errors: {} });
      expect(await setServers({ notes }, job)).toEqual({ added: ['notes'], removed: ['files'], errors: {} });
      expect(await setServers({}, job)).toEqual({ added: [], removed: ['notes'], errors: {} });
      expect(sets).toEqual([
        { clock: sdk('clock'), files },
        { clock: sdk('clock'), notes },
        { clock: sdk('clock') },
      ]);
    },
  );

  test('includes no in-process servers for 2.0.73, which would refuse them', async () => {
    const { job, sets } = onCli('2.0.73', { clock: new RpcServer() });
    await setServers({ files }, job);
    expect(sets).toEqual([{ files }]);
  });

  test('counts only servers that did not fail as added', async () => {
    const { job, errors, servers } = onCli('2.1.326');
    errors.files = 'spawn ENOENT';
    expect(await setServers({ files, notes }, job)).toEqual({
      added: ['notes'],
      removed: [],
      errors: { files: 'spawn ENOENT' },
    });
    expect(servers.list.added).toEqual({ files, notes });
  });

  test('serves an in-process server at once, and waits for its handshake', async () => {
    const { job, servers } = onCli('2.1.326');
    const clock = new RpcServer();
    expect(await setServers({ clock }, job)).toMatchObject({ added: ['clock'], errors: {} });
    expect(servers.bridge.names).toEqual(['clock']);
    await setServers({}, job);
    expect(clock.closed).toBe(true);
    expect(servers.bridge.names).toEqual([]);
  });

  test('reports it if the CLI does not complete the handshake with an in-process server', async () => {
    const { job, clock, mute } = onCli('2.1.326');
    mute();
    const change = setServers({ clock: new RpcServer() }, job);
    await settle();
    clock.advance(1_000);
    expect(await change).toEqual({
      added: [],
      removed: [],
      errors: { clock: 'the CLI did not complete its handshake within 1000 ms' },
    });
  });

  test('leaves everything unchanged if the CLI refuses', async () => {
    const { job, servers, dynamic } = onCli('2.1.326');
    const refusing: ChangeJob = { ...job, send: () => Promise.reject(new Error('refused')) };
    await expect(setServers({ clock: new RpcServer(), files }, refusing)).rejects.toThrow('refused');
    expect(servers.list.all).toEqual({});
    expect(servers.bridge.names).toEqual([]);
    expect(dynamic.current).toEqual({});
  });

  test('refuses an invalid server before anything is sent', async () => {
    const { job, sets } = onCli('2.1.326');
    await expect(setServers({ bad: 5 as never }, job)).rejects.toThrow(
      /MCP server "bad" must be a server conf/,
    );
    expect(sets).toEqual([]);
  });
});

describe('adding servers', () => {
  test('keeps the existing ones', async () => {
    const { job, sets, servers } = onCli('2.1.326', { clock: new RpcServer() });
    await addServers({ files }, job);
    expect(await addServers({ notes }, job)).toEqual({ added: ['notes'], removed: [], errors: {} });
    expect(sets.at(-1)).toEqual({ clock: sdk('clock'), files, notes });
    expect(servers.list.added).toEqual({ files, notes });
  });

  test('runs one after another if requested concurrently', async () => {
    const { job, sets } = onCli('2.1.326');
    await Promise.all([addServers({ files }, job), addServers({ notes }, job)]);
    expect(sets).toEqual([{ files }, { files, notes }]);
  });

  test('does not enable a disabled server', async () => {
    const { job, sets, dynamic } = onCli('2.1.17');
    await addServers({ files }, job);
    await dynamic.swap({}, job.send, ['files', files]);
    await addServers({ notes }, job);
    expect(sets.at(-1)).toEqual({ notes });
    expect(dynamic.isOff('files')).toBe(true);
  });

  test('removes an in-process server before another one replaces it', async () => {
    const [one, two] = [new RpcServer(), new RpcServer()];
    const { job, sets } = onCli('2.1.17', { clock: one });
    expect(await addServers({ clock: two }, job)).toEqual({ added: ['clock'], removed: [], errors: {} });
    expect(sets).toEqual([{}, { clock: sdk('clock') }]);
    expect([one.closed, two.closed]).toEqual([true, false]);
    await addServers({ clock: two }, job);
    expect(sets).toHaveLength(3);
    expect(two.closed).toBe(false);
  });

  test('takes over a given process server only from 2.1.326 on, and never one of another kind', async () => {
    const newest = onCli('2.1.326', { files });
    expect(await addServers({ files: notes }, newest.job)).toMatchObject({ added: ['files'] });
    await expect(
      addServers({ files: new RpcServer() }, onCli('2.1.326', { files }).job),
    ).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED', message: /Remove it first/ });
    for (const version of ['2.0.73', '2.1.17']) {
      const { job, sets } = onCli(version, { files });
      await expect(addServers({ files: notes }, job)).rejects.toMatchObject({
        code: 'ENDPOINT_UNSUPPORTED',
        message: /"files" is not supported by CLI .* Use another name/,
      });
      expect(sets).toEqual([]);
    }
  });
});

describe('removing a server', () => {
  test('that was added removes it from the set', async () => {
    const { job, sets, servers } = onCli('2.0.73');
    await addServers({ files, notes }, job);
    expect(await removeServer('files', job)).toEqual({ added: [], removed: ['files'], errors: {} });
    expect(sets.at(-1)).toEqual({ notes });
    expect(servers.list.all).toEqual({ notes });
  });

  test('that was disabled forgets it', async () => {
    const { job, dynamic } = onCli('2.1.17');
    await addServers({ files }, job);
    await dynamic.swap({}, job.send, ['files', files]);
    await removeServer('files', job);
    expect(dynamic.has('files')).toBe(false);
  });

  test('that was given and is in-process leaves it out, and closes it', async () => {
    const clock = new RpcServer();
    const { job, sets, servers } = onCli('2.1.17', { clock, files });
    await removeServer('clock', job);
    expect(sets).toEqual([{}]);
    expect(clock.closed).toBe(true);
    expect(servers.list.launched).toEqual({ files });
  });

  test('that was given and is a process takes it over first, from 2.1.326 on', async () => {
    const { job, sets, servers } = onCli('2.1.326', { clock: new RpcServer(), files });
    await removeServer('files', job);
    expect(sets).toEqual([{ clock: sdk('clock'), files }, { clock: sdk('clock') }]);
    expect(Object.keys(servers.list.all)).toEqual(['clock']);
  });

  test.each([
    ['2.0.73', 'clock'],
    ['2.0.73', 'files'],
    ['2.1.17', 'files'],
  ])('is refused with the reason if %s could not drop the given "%s"', async (version, name) => {
    const { job, sets, servers } = onCli(version, { clock: new RpcServer(), files });
    await expect(removeServer(name, job)).rejects.toMatchObject({
      code: 'ENDPOINT_UNSUPPORTED',
      message: expect.stringContaining('It keeps the servers it was started with'),
    });
    expect(sets).toEqual([]);
    expect(Object.keys(servers.list.all)).toEqual(['clock', 'files']);
  });

  test('that the session does not have is an error', async () => {
    await expect(removeServer('nobody', onCli('2.1.326').job)).rejects.toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
      message: /no MCP server "nobody"/,
    });
  });
});
