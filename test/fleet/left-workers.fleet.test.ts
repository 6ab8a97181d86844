import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { BareClient, isCliMessage, temporaryFolder } from '../support/console.js';
import { startEmulatedWorker, startTestGateway } from '../support/fleet.js';
import { keptLog } from '../support/kept-log.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

withNats('what a worker left on its disk', () => {
  test('is stored when NATS is back, if the lease was lost meanwhile', async () => {
    const server = await natsServer();
    const { worker, session, stateFolder, root } = await spooling(server.url, () => server.kill());
    await worker.lost;
    expect(await readdir(join(stateFolder, 'workers'))).toEqual([worker.id]);
    await server.start();
    const after = await startEmulatedWorker([], { nats: server.url, root, stateFolder });
    expect(await readdir(join(stateFolder, 'workers'))).toEqual([after.worker.id]);
    const { lines, strangers } = await keptLog(server.url, session);
    const said = lines.filter(({ event }) => JSON.stringify(event).includes('"Said while'));
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said.map(({ n }) => n)).size).toBe(said.length);
    expect(strangers).toEqual([]);
    // The end of the CLI is not the end of the conversation.
    expect(lines.filter(({ event }) => event.kind === 'end' && event.t !== 0)).toEqual([]);
  });

  test('is stored when NATS is back, if the worker was stopped meanwhile', async () => {
    const server = await natsServer();
    const { worker, session, stateFolder, root } = await spooling(server.url, () => server.kill(), 60);
    await worker.close();
    await server.start();
    await startEmulatedWorker([], { nats: server.url, root, stateFolder });
    expect(JSON.stringify((await keptLog(server.url, session)).lines)).toContain('Said while');
  });

  test('is discarded if another worker has taken the conversation', async () => {
    const server = await natsServer();
    const proxy = await createProxy(server.port);
    const { worker, session, stateFolder, root } = await spooling(proxy.url, async () => proxy.hold());
    await worker.lost;
    await startEmulatedWorker([], { nats: server.url, root });
    await expect.poll(async () => (await keptLog(server.url, session)).epochs.length).toBe(2);
    proxy.release();
    await startEmulatedWorker([], { nats: proxy.url, root, stateFolder });
    const { lines, strangers } = await keptLog(server.url, session);
    expect(JSON.stringify(lines)).not.toContain('Said while');
    expect(strangers).toEqual([]);
    expect(await readdir(join(stateFolder, 'workers'))).not.toContain(worker.id);
  });

  test('is removed if the worker was killed, but not while it may run', async () => {
    const { url: nats } = await natsServer();
    const [root, stateFolder] = [await temporaryFolder(), await temporaryFolder()];
    const { worker } = await startEmulatedWorker([], { nats, root, stateFolder });
    const killed = join(stateFolder, 'workers', 'killed-1');
    await mkdir(join(killed, 'sessions'), { recursive: true });
    await writeFile(join(killed, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, started: '1' }));
    const second = await startEmulatedWorker([], { nats, root, stateFolder });
    expect(existsSync(killed)).toBe(false);
    expect((await readdir(join(stateFolder, 'workers'))).sort()).toEqual(
      [worker.id, second.worker.id].sort(),
    );
  });
});

/** A worker whose CLI says something after NATS has gone. */
async function spooling(nats: string, cut: () => Promise<void>, leaseSeconds = 2) {
  const [root, stateFolder] = [await temporaryFolder(), await temporaryFolder()];
  const away = deferred<void>();
  const spoke = deferred<void>();
  const scenario = [
    onUser(undefined, [
      say('Said before.'),
      act(() => away.promise),
      say('Said while NATS is away.'),
      act(() => {
        spoke.resolve();
        return new Promise(() => {});
      }),
    ]),
  ];
  const { worker } = await startEmulatedWorker(scenario, { nats, root, stateFolder, leaseSeconds });
  const gateway = await startTestGateway({ fleet: { nats } });
  const client = await BareClient.connect(gateway);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'go' }, { session });
  await client.event('line', isCliMessage('assistant'));
  await cut();
  away.resolve();
  await spoke.promise;
  await gateway.close();
  return { worker, session, stateFolder, root };
}
