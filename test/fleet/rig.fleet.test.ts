import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { natsCluster } from '../support/nats/nats-cluster.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

withNats('the servers that fleet tests run on', () => {
  test('a single server has JetStream, and comes back on its port after a crash', async () => {
    const server = await natsServer();
    expect(await greeting(server.port)).toMatchObject({ jetstream: true });
    const { pid } = server;
    await server.kill();
    await expect(greeting(server.port)).rejects.toThrow();
    await server.start();
    expect(server.pid).not.toBe(pid);
    expect(await greeting(server.port)).toMatchObject({ jetstream: true });
    await server.stop();
  });

  test('three servers have one leader', async () => {
    // It waits until all three name the same leader, and throws if they never do.
    expect((await natsCluster()).urls).toHaveLength(3);
  });

  test('the connection to a server can be cut, refused and silenced', async () => {
    const server = await natsServer();
    const proxy = await createProxy(server.port);
    expect(await greeting(proxy.port)).toMatchObject({ jetstream: true });
    proxy.hold();
    await expect(greeting(proxy.port)).rejects.toThrow();
    proxy.release();
    const socket = await open(proxy.port);
    const answers: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => answers.push(text));
    proxy.silence();
    socket.write('CONNECT {"verbose":false}\r\nPING\r\n');
    // The silent connection would have got its answer before this one.
    await greeting(server.port);
    expect(answers.join('')).not.toContain('PONG');
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (text: string) => text.includes('PONG') && resolve());
    });
    proxy.release();
    await answered;
    socket.destroy();
  });
});

/** The first line from a server. */
async function greeting(port: number): Promise<unknown> {
  const socket = await open(port);
  try {
    const line = await new Promise<string>((resolve, reject) => {
      socket.setEncoding('utf8').once('data', (text: string) => resolve(text.slice(5)));
      socket.once('close', () => reject(new Error('closed silently')));
    });
    return JSON.parse(line);
  } finally {
    socket.destroy();
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return socket;
}
