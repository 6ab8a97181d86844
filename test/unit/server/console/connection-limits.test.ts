import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ConnectionLimits, REQUEST_TIMES } from '../../../../src/server/console/http/connection-limits.js';

class Connection extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort: number;
  isDestroyed = false;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

/** A server, and a way to connect to it from an address. */
function listening() {
  const server = new EventEmitter();
  const limits = new ConnectionLimits(server as unknown as Server);
  let ports = 0;
  const connect = (count: number, addressOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => {
      const connection = new Connection(addressOf(index), ++ports);
      server.emit('connection', connection);
      return connection;
    });
  return { limits, connect };
}

const dropped = (connections: readonly Connection[]) =>
  connections.filter(({ isDestroyed }) => isDestroyed).length;

describe('connections', () => {
  test('of one address are not dropped while they are as many as requests may come at once', () => {
    const { connect } = listening();
    expect(dropped(connect(300, () => '10.0.0.1'))).toBe(0);
  });

  test('that show no key give way to newer ones, those with a key never', () => {
    const { limits, connect } = listening();
    const [keyed] = connect(1, () => '10.0.0.1');
    // Not the same object: over TLS, a request has a socket around the one that connected.
    limits.cameIn({ remoteAddress: keyed?.remoteAddress, remotePort: keyed?.remotePort });
    const idle = connect(600, () => '10.0.0.1');
    expect(dropped(idle)).toBe(88);
    expect(idle[0]?.isDestroyed).toBe(true);
    expect(keyed?.isDestroyed).toBe(false);
  });

  test('are limited in all', () => {
    const { connect } = listening();
    expect(dropped(connect(3_000, (index) => `10.0.0.${index % 200}`))).toBe(3_000 - 2_048);
  });
});

test('A request has the time to upload 32 MiB at 64 KiB per second', () => {
  const bytes = 64 * 1024 * (REQUEST_TIMES.requestTimeout / 1_000);
  expect(bytes).toBeGreaterThanOrEqual(32 * 1024 * 1024);
});
