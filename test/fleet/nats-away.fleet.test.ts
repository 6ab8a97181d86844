import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/wire/util/clock.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { startTestGateway } from '../support/fleet.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('while NATS is away', () => {
  test('a worker that lost its lease waits, and takes conversations when NATS is back', async () => {
    const server = await natsServer();
    const cox = await startCoxWorker(server.url);
    await cox.until('"worker"');
    await server.kill();
    await cox.until('The lease was lost', 'err');
    await cox.until('Restart failed; retrying', 'err');
    await cox.until('connection refused', 'err');
    await server.start();
    await cox.until('"worker"');
    cox.kill('SIGTERM');
    expect(await cox.exited).toBe(0);
  });

  test('a worker that waits for it can be stopped', async () => {
    const server = await natsServer();
    const cox = await startCoxWorker(server.url);
    await cox.until('"worker"');
    await server.kill();
    await cox.until('Restart failed; retrying', 'err');
    cox.kill('SIGINT');
    expect(await cox.exited).toBe(0);
  });

  test('a command gets an error after a minute', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const server = await natsServer();
    const gateway = await startTestGateway({ fleet: { nats: server.url }, clock });
    const client = await BareClient.connect(gateway);
    await server.kill();
    const opened = client.ask('open', { cwd: '/' }).catch((error: unknown) => error);
    const listed = client.ask('folders', {}).catch((error: unknown) => error);
    expect(String(await listed)).toContain('NATS cannot be reached');
    later = 61_000;
    expect(String(await opened)).toContain('NATS cannot be reached');
  });
});

async function startCoxWorker(nats: string) {
  const folder = await temporaryFolder();
  const flags = ['--demo', '--json', '--lease', '2', '--root', folder, '--state', folder];
  const cox = startCoxProcess(['worker', '--nats', nats, ...flags]);
  onTestFinished(() => cox.kill('SIGKILL'));
  return cox;
}
