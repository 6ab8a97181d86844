import { expect, test } from 'vitest';
import { McpBridge } from '../../../../src/host/mcp/bridge.js';
import { Cancellation } from '../../../../src/wire/peer/cancellation.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { RpcServer } from '../../../support/rpc-server.js';

const never = () => new Cancellation();

function bridged(servers: Readonly<Record<string, RpcServer>>) {
  const sent: [string, WireObject][] = [];
  const bridge = new McpBridge({
    send: async (server, message) => {
      sent.push([server, message]);
    },
    setupMs: 1_000,
    session: { id: 's' },
    clock: new ManualClock(),
    onDiagnostic: () => {},
  });
  for (const [name, server] of Object.entries(servers)) bridge.add(name, server);
  const ask = (server: string, message: WireObject) =>
    bridge.handle({ subtype: 'mcp_message', server_name: server, message }, never());
  return { bridge, sent, ask };
}

test('delivers each message to the server that it names', async () => {
  const a = new RpcServer();
  const b = new RpcServer();
  const { bridge, ask } = bridged({ a, b });
  expect(bridge.names).toEqual(['a', 'b']);
  expect(await ask('b', { id: 0, method: 'tools/list' })).toMatchObject({
    mcp_response: { id: 0, result: { tools: [{ name: 'now' }] } },
  });
  expect(await ask('b', { method: 'notifications/initialized' })).toEqual({ mcp_response: {} });
  await expect(bridge.ready('b')).resolves.toBeUndefined();
  expect([a.received.length, b.received.length]).toEqual([0, 2]);
});

test('an unknown server gets an error answer', async () => {
  const { bridge, ask } = bridged({});
  await expect(ask('nobody', { id: 0, method: 'initialize' })).rejects.toThrow(
    '"nobody" is not in this session',
  );
  await expect(bridge.handle({ subtype: 'mcp_message' }, never())).rejects.toThrow('"undefined" is not');
  await expect(bridge.ready('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_FAILED' });
});

test('sends messages of servers under their names', async () => {
  const a = new RpcServer();
  const { sent, ask } = bridged({ a });
  await ask('a', { method: 'notifications/initialized' });
  await a.send({ method: 'notifications/tools/list_changed' });
  expect(sent).toEqual([['a', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]]);
});

test('closes a server that is removed or replaced, and all at the end', async () => {
  const [first, second, other] = [new RpcServer(), new RpcServer(), new RpcServer()];
  const { bridge, ask } = bridged({ a: first, b: other });
  await ask('a', { method: 'notifications/initialized' });
  await ask('b', { method: 'notifications/initialized' });
  bridge.add('a', second);
  expect(first.closed).toBe(true);
  await ask('a', { method: 'notifications/initialized' });
  expect(await bridge.remove('a')).toBe(true);
  expect(await bridge.remove('a')).toBe(false);
  expect(second.closed).toBe(true);
  await bridge.close();
  await bridge.close();
  expect(other.closed).toBe(true);
  expect(bridge.names).toEqual([]);
});
