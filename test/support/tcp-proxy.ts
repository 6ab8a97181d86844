import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection to a server that can be cut. */
export interface Proxy {
  readonly url: string;
  readonly port: number;
  /** The number of connections so far. */
  readonly connections: number;
  /** Cuts every connection abruptly; new ones can be made. */
  cut(): void;
  /** Cuts every connection, and accepts no new ones. */
  hold(): void;
  /** Passes nothing in either direction, and closes nothing, like a lost network. New connections are silent too. */
  silence(): void;
  /** Delays each piece by so many milliseconds. */
  slow(ms: number): void;
  /** Accepts connections again, and delivers what was held back. */
  release(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port of this machine; it is closed after the test. */
export async function createProxy(port: number, host = '127.0.0.1'): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let held = false;
  let silent = false;
  let delayMs = 0;
  const server = createServer((near) => {
    if (held) {
      near.destroy();
      return;
    }
    connections += 1;
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (delayMs === 0) return to.write(bytes);
        return setTimeout(() => to.writable && to.write(bytes), delayMs);
      });
      if (silent) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of [...sockets]) socket.destroy();
  };
  const close = () =>
    new Promise<void>((resolve) => {
      cut();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    get connections() {
      return connections;
    },
    cut,
    hold: () => {
      held = true;
      cut();
    },
    silence: () => {
      silent = true;
      for (const socket of sockets) socket.pause();
    },
    slow: (ms) => {
      delayMs = ms;
    },
    release: () => {
      held = false;
      silent = false;
      for (const socket of sockets) socket.resume();
    },
    close,
  };
}
