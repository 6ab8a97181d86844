import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpLink } from '../../../../src/host/mcp/link.js';
import type { InProcessServer } from '../../../../src/host/mcp/server-object.js';
import { Cancellation } from '../../../../src/wire/peer/cancellation.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { RpcServer } from '../../../support/rpc-server.js';
import { settle } from '../../../support/settle.js';

const never = () => new Cancellation();

function linked(server: InProcessServer = new RpcServer()) {
  const clock = new ManualClock();
  const sent: WireObject[] = [];
  const told: Diagnostic[] = [];
  const link = new McpLink({
    name: 'clock',
    server,
    send: async (message) => {
      sent.push(message);
    },
    setupMs: 1_000,
    session: { id: 's' },
    clock,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const ask = (message: WireObject, withdrawal = never()) =>
    link.receive({ jsonrpc: '2.0', ...message }, withdrawal);
  return { clock, sent, told, link, ask };
}

/** Lets everything run that needs no time. */
describe('messages of the CLI', () => {
  test('requests get the server’s answer, with the CLI’s id', async () => {
    const { ask } = linked();
    expect(await ask({ id: 0, method: 'initialize' })).toMatchObject({
      jsonrpc: '2.0',
      id: 0,
      result: { serverInfo: { name: 'by hand' } },
    });
  });

  test('notifications and responses get an empty answer', async () => {
    const server = new RpcServer();
    const { ask } = linked(server);
    expect(await ask({ method: 'notifications/initialized' })).toEqual({});
    expect(await ask({ id: 5, result: {} })).toEqual({});
    expect(server.received.map(({ method }) => method)).toEqual(['notifications/initialized']);
  });

  test('a message that is not JSON-RPC is refused', async () => {
    const { link } = linked();
    await expect(link.receive({ jsonrpc: '2.0' }, never())).rejects.toThrow(/"clock" got something/);
    await expect(link.receive(undefined, never())).rejects.toThrow(/"clock" got something/);
  });

  test('calls run concurrently and are answered in the server’s order', async () => {
    const server = new RpcServer();
    const { ask } = linked(server);
    const order: string[] = [];
    const one = ask({ id: 2, method: 'tools/call' }).then(() => order.push('one'));
    const two = ask({ id: 3, method: 'tools/call' }).then(() => order.push('two'));
    await settle();
    const [first, second] = server.requests('tools/call');
    await server.answer(second, {});
    await two;
    await server.answer(first, {});
    await one;
    expect(order).toEqual(['two', 'one']);
  });

  test('two concurrent handshakes with the same ids do not mix', async () => {
    const server = new RpcServer({});
    const { ask } = linked(server);
    const one = ask({ id: 0, method: 'initialize', params: { client: 1 } });
    const two = ask({ id: 0, method: 'initialize', params: { client: 2 } });
    await settle();
    for (const request of server.requests('initialize').toReversed())
      await server.answer(request, request.params);
    expect(await one).toMatchObject({ id: 0, result: { client: 1 } });
    expect(await two).toMatchObject({ id: 0, result: { client: 2 } });
  });
});

describe('a cancelled call', () => {
  test('by notifications/cancelled is reported to the server and answered, and late results are dropped', async () => {
    const server = new RpcServer();
    const { ask, link } = linked(server);
    const call = ask({ id: 4, method: 'tools/call' });
    await settle();
    const [request] = server.requests('tools/call');
    expect(await ask({ method: 'notifications/cancelled', params: { requestId: 4 } })).toEqual({});
    expect(await call).toMatchObject({ id: 4, error: { code: -32800 } });
    expect(server.received.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: request?.id },
    });
    await server.answer(request, {});
    expect(link.openCalls).toBe(0);
  });

  test('by a withdrawn control request is reported to the server too', async () => {
    const server = new RpcServer();
    const { ask } = linked(server);
    const withdrawal = new Cancellation();
    const call = ask({ id: 4, method: 'tools/call' }, withdrawal);
    await settle();
    withdrawal.cancel();
    expect(await call).toHaveProperty('error');
    expect(server.requests('notifications/cancelled')).toHaveLength(1);
  });

  test('is answered even before it reached the server', async () => {
    const server = new RpcServer();
    const { ask } = linked(server);
    const withdrawn = never();
    withdrawn.cancel();
    expect(await ask({ id: 4, method: 'tools/call' }, withdrawn)).toHaveProperty('error');
    expect(server.requests('notifications/cancelled')).toHaveLength(1);
  });

  test('that is unknown has no effect', async () => {
    const server = new RpcServer();
    const { ask } = linked(server);
    expect(await ask({ method: 'notifications/cancelled', params: { requestId: 9 } })).toEqual({});
    expect(await ask({ method: 'notifications/cancelled' })).toEqual({});
    expect(server.received).toEqual([]);
  });
});

describe('a message that a server starts', () => {
  test('goes to the CLI, and the answer comes back with the server’s id', async () => {
    const server = new RpcServer();
    const { ask, sent } = linked(server);
    const call = ask({ id: 0, method: 'tools/call' });
    await settle();
    // The CLI uses the same ids.
    await server.send({ id: 0, method: 'roots/list' });
    await server.send({ id: 1, method: 'ping' });
    expect(sent.map(({ method }) => method)).toEqual(['roots/list', 'ping']);
    expect(await ask({ id: String(sent[1]?.id), result: { pong: true } })).toEqual({});
    expect(await ask({ id: String(sent[0]?.id), error: { code: -32601, message: 'no roots' } })).toEqual({});
    expect(server.received.slice(1)).toMatchObject([
      { id: 1, result: { pong: true } },
      { id: 0, error: { code: -32601 } },
    ]);
    await server.answer(server.requests('tools/call')[0], { done: true });
    expect(await call).toMatchObject({ id: 0, result: { done: true } });
  });

  test('is passed on unchanged as a notification, and as a cancellation with the wire id', async () => {
    const server = new RpcServer();
    const { sent, link } = linked(server);
    await link.receive({ method: 'notifications/initialized' }, never());
    await server.send({ method: 'notifications/tools/list_changed' });
    await server.send({ id: 3, method: 'sampling/createMessage' });
    await server.send({ method: 'notifications/cancelled', params: { requestId: 3, reason: 'late' } });
    await server.send({ method: 'notifications/cancelled', params: { requestId: 99 } });
    expect(sent).toMatchObject([
      { method: 'notifications/tools/list_changed' },
      { method: 'sampling/createMessage' },
      { method: 'notifications/cancelled', params: { requestId: sent[1]?.id, reason: 'late' } },
      { method: 'notifications/cancelled', params: { requestId: 99 } },
    ]);
  });

  test('that does not reach the CLI is left to the server', async () => {
    const server = new RpcServer();
    const clock = new ManualClock();
    const link = new McpLink({
      name: 'clock',
      server,
      send: () => Promise.reject(new Error('the CLI is gone')),
      setupMs: 1_000,
      session: { id: 's' },
      clock,
      onDiagnostic: () => {},
    });
    await link.receive({ method: 'notifications/initialized' }, never());
    await expect(server.send({ id: 0, method: 'ping' })).rejects.toThrow('the CLI is gone');
  });

  test('that is not JSON-RPC is reported and not sent', async () => {
    const server = new RpcServer();
    const { told, sent, link } = linked(server);
    await link.receive({ method: 'notifications/initialized' }, never());
    await server.transport?.send({ nonsense: true });
    expect(told).toMatchObject([{ code: 'MCP_SERVER_FAILED', server: 'clock' }]);
    expect(sent).toEqual([]);
  });

  test('whatever the ids on both sides, every request gets its own answer', async () => {
    const ids = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 10 });
    const ranks = fc.infiniteStream(fc.integer());
    await fc.assert(
      fc.asyncProperty(ids, ids, ranks, async (cliIds, serverIds, order) => {
        const server = new RpcServer();
        const { ask, sent } = linked(server);
        const calls = cliIds.map((id, index) => ask({ id, method: 'tools/call', params: { index } }));
        await settle();
        for (const [index, id] of serverIds.entries())
          await server.send({ id, method: 'ping', params: { index } });
        const answerCalls = shuffled(server.requests('tools/call'), order).map((request) =>
          server.answer(request, request.params),
        );
        const answerPings = shuffled(sent, order).map(({ id, params: result }) => ask({ id, result }));
        await Promise.all([...answerCalls, ...answerPings]);
        const own = (id: number, index: number) => ({ jsonrpc: '2.0', id, result: { index } });
        expect(await Promise.all(calls)).toEqual(cliIds.map(own));
        const pongs = server.received.filter(({ result }) => result !== undefined);
        expect(pongs).toHaveLength(serverIds.length);
        expect(pongs).toEqual(expect.arrayContaining(serverIds.map(own)));
      }),
      { numRuns: 50 },
    );
  });
});

function shuffled<T>(list: readonly T[], order: Iterator<number>): readonly T[] {
  return list
    .map((each) => ({ each, rank: Number(order.next().value) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ each }) => each);
}

describe('a server', () => {
  test('that does not connect in time is reported by name, and every request gets an error', async () => {
    const { clock, told, ask, link } = linked({ connect: () => new Promise(() => {}) });
    const answer = ask({ id: 0, method: 'initialize' });
    const note = ask({ method: 'notifications/initialized' });
    note.catch(() => {});
    clock.advance(1_000);
    expect(await answer).toMatchObject({
      id: 0,
      error: { message: /"clock" was not connected within 1000 ms/ },
    });
    await expect(note).rejects.toThrow(/"clock"/);
    await expect(link.ready).rejects.toMatchObject({ code: 'MCP_SERVER_FAILED' });
    expect(told).toMatchObject([{ code: 'MCP_SERVER_FAILED', server: 'clock' }]);
    expect(clock.size).toBe(0);
  });

  test('that does not complete the handshake in time is reported once, by name', async () => {
    const { clock, told, ask, link } = linked(new RpcServer({}));
    const answer = ask({ id: 0, method: 'initialize' });
    await settle();
    clock.advance(1_000);
    expect(await answer).toMatchObject({
      error: { code: -32001, message: /did not answer initialize within/ },
    });
    await expect(link.ready).rejects.toThrow(/did not answer initialize/);
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toBe('MCP server "clock" did not answer initialize within 1000 ms.');
  });

  test('has no time limit for a tool call', async () => {
    const server = new RpcServer();
    const { clock, told, ask } = linked(server);
    const call = ask({ id: 2, method: 'tools/call' });
    await settle();
    clock.advance(30 * 60_000);
    await server.answer(server.requests('tools/call')[0], { done: true });
    expect(await call).toMatchObject({ result: { done: true } });
    expect(told).toEqual([]);
    expect(clock.size).toBe(0);
  });

  test('that throws on a message answers that message with an error', async () => {
    const throwing = {
      connect: (transport: { onmessage?: unknown }) => {
        transport.onmessage = () => {
          throw new Error('not today');
        };
      },
    };
    const { told, ask } = linked(throwing);
    expect(await ask({ id: 0, method: 'tools/call' })).toMatchObject({ error: { message: 'not today' } });
    expect(await ask({ method: 'notifications/initialized' })).toEqual({});
    expect(told).toMatchObject([{ message: /"clock" threw while handling a message: not today/ }]);
  });

  test('that refuses initialize is reported', async () => {
    const server = new RpcServer({});
    const { told, ask, link } = linked(server);
    const answer = ask({ id: 0, method: 'initialize' });
    await settle();
    const [request] = server.requests('initialize');
    await server.send({ id: Number(request?.id), error: { code: -1, message: 'no' } });
    expect(await answer).toMatchObject({ id: 0, error: { message: 'no' } });
    await expect(link.ready).rejects.toThrow(/refused initialize/);
    expect(told).toHaveLength(1);
  });
});

describe('the end', () => {
  test('of a handshake without tools is its last notification', async () => {
    const { ask, link } = linked(new RpcServer({ initialize: { capabilities: {} } }));
    await ask({ id: 0, method: 'initialize' });
    await ask({ method: 'notifications/initialized' });
    await expect(link.ready).resolves.toBeUndefined();
  });

  test('of a handshake with tools is their list', async () => {
    const { ask, link } = linked();
    let ready = false;
    void link.ready.then(() => {
      ready = true;
    });
    await ask({ id: 0, method: 'initialize' });
    await ask({ method: 'notifications/initialized' });
    await settle();
    // It has reported tools, and they were not requested yet.
    expect(ready).toBe(false);
    await ask({ id: 1, method: 'tools/list' });
    await expect(link.ready).resolves.toBeUndefined();
  });

  test('answers open requests, tells the server, and leaves no timer', async () => {
    const server = new RpcServer({});
    const { clock, told, ask, link } = linked(server);
    const answers = [ask({ id: 0, method: 'initialize' }), ask({ id: 1, method: 'tools/call' })];
    await settle();
    await link.close();
    await link.close();
    for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('error.code', -32800);
    expect(server.closed).toBe(true);
    expect(clock.size).toBe(0);
    expect(told).toEqual([]);
    expect(await ask({ id: 2, method: 'tools/call' })).toMatchObject({ error: { message: /was closed/ } });
    await expect(ask({ method: 'notifications/initialized' })).rejects.toThrow(/was closed/);
  });

  test('is possible while the server is still connecting', async () => {
    const { clock, told, link } = linked({ connect: () => new Promise(() => {}) });
    await link.close();
    await expect(link.ready).rejects.toThrow(/was closed/);
    expect(clock.size).toBe(0);
    expect(told).toEqual([]);
  });
});
