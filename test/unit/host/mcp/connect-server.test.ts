import { describe, expect, test } from 'vitest';
import { connectServer } from '../../../../src/host/mcp/connect-server.js';
import { LinkTransport } from '../../../../src/host/mcp/link-transport.js';
import type { InProcessServer } from '../../../../src/host/mcp/server-object.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { RpcServer } from '../../../support/rpc-server.js';

function connecting(server: InProcessServer) {
  const clock = new ManualClock();
  const life = new AbortController();
  const transport = new LinkTransport(async () => {}, { session: { id: 's' }, onDiagnostic: () => {} });
  const options = { name: 'clock', deadlineMs: 5_000, clock, signal: life.signal };
  return { clock, life, connected: connectServer(server, transport, options) };
}

describe('connecting a server', () => {
  test('accepts the server itself, or what a function returns, now or later', async () => {
    const servers = [new RpcServer(), new RpcServer(), new RpcServer()] as const;
    for (const server of [servers[0], () => servers[1], async () => servers[2]]) {
      const { clock, connected } = connecting(server);
      await connected;
      expect(clock.size).toBe(0);
    }
    expect(servers.every(({ transport }) => transport !== undefined)).toBe(true);
  });

  test('times out, naming the server', async () => {
    const { clock, connected } = connecting({ connect: () => new Promise(() => {}) });
    const failed = expect(connected).rejects.toMatchObject({
      code: 'MCP_SERVER_FAILED',
      message: 'MCP server "clock" was not connected within 5000 ms.',
    });
    clock.advance(5_000);
    await failed;
    expect(clock.size).toBe(0);
  });

  test('ends when nobody needs the server any more, and leaves no timer', async () => {
    const { clock, life, connected } = connecting(() => new Promise(() => {}));
    const failed = expect(connected).rejects.toThrow('"clock" was closed');
    life.abort();
    await failed;
    expect(clock.size).toBe(0);
  });

  test.each([
    [
      'throws',
      {
        connect: () => {
          throw new Error('no port');
        },
      },
      'could not be connected: no port.',
    ],
    ['rejects', { connect: () => Promise.reject('a text') }, 'could not be connected: a text.'],
    [
      'is made by a function that throws',
      () => {
        throw new Error('not made');
      },
      'could not be connected: not made.',
    ],
  ] satisfies [string, InProcessServer, string][])('fails when it %s', async (_how, server, text) => {
    await expect(connecting(server).connected).rejects.toThrow(`MCP server "clock" ${text}`);
  });

  test('fails if a function returns something else', async () => {
    const make = (() => ({})) as unknown as InProcessServer;
    await expect(connecting(make).connected).rejects.toThrow('"clock" has no connect(transport) method');
  });

  test('says what to do about a server that already serves another session', async () => {
    const taken = { connect: () => Promise.reject(new Error('Already connected to a transport')) };
    await expect(connecting(taken).connected).rejects.toThrow(/pass a function that creates a new one/);
  });
});
