import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type NatsParts, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { watchBucket } from '../../src/server/fleet/nats/watch-bucket.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { temporaryFolder } from '../support/console.js';
import { gatewayProcess, workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { freePorts, natsServer } from '../support/nats/nats-server.js';
import { oldNatsProgram, withNats, withOldNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

withOldNats('an engine that cannot fence', () => {
  test('is refused with what is required; after an upgrade the same store can be used', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'coxswain-nats-store-'));
    onTestFinished(() => rmSync(storeDir, { recursive: true, force: true }));
    const old = await natsServer({ program: oldNatsProgram ?? '', storeDir });
    const refused = await openEngine({ nats: old.url }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'FLEET_ENGINE_UNFIT' });
    expect(String(refused)).toMatch(
      /The NATS server 2\.\d+\.\d+ cannot run a fleet: it does not check a write/,
    );
    expect(String(refused)).toContain('Fleets are tested with nats-server 2.15.');
    await old.stop();
    const upgraded = await natsServer({ storeDir });
    const engine = await openEngine({ nats: upgraded.url });
    expect(engine.connection.info?.version).toMatch(/^2\.1\d/);
    await engine.close();
  });
});

withNats('a watched bucket', () => {
  test('loses keys whose markers expired while the engine was away', async () => {
    const engine = await openEngine({ nats: (await natsServer()).url });
    onTestFinished(() => engine.close());
    const { jsm, names, workers } = engine;
    const stream = `KV_${names.workers}`;
    for (const key of ['gone', 'stays']) await workers.put(key, '{}');
    const seen: string[] = [];
    const stop = await watchBucket(engine, { bucket: names.workers }, ({ key, value }) => {
      if (!key.startsWith('prob')) seen.push(`${key} ${value === undefined ? 'is gone' : 'is there'}`);
    });
    onTestFinished(stop);
    expect(seen.splice(0).sort()).toEqual(['gone is there', 'stays is there']);
    await jsm.streams.purge(stream, { filter: `$KV.${names.workers}.gone` });
    // Like a server that was restarted: it has lost its readers.
    for await (const { name } of jsm.consumers.list(stream)) await jsm.consumers.delete(stream, name);
    await vi.waitFor(() => expect(seen).toEqual(['gone is gone']), 30_000);
    await workers.put('new', '{}');
    await vi.waitFor(() => expect(seen).toEqual(['gone is gone', 'new is there']), 30_000);
  });
});

withNats('the readers of a program', () => {
  test('are left when it is killed, and end by themselves within a minute', {
    timeout: 120_000,
  }, async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const worker = await workerProcess({ nats, root, leaseSeconds: 60 });
    const gateway = await gatewayProcess(nats);
    const talk = await FleetTalk.open(gateway, { cwd: root, nats });
    await talk.talk(2);
    const engine = await openEngine({ nats });
    onTestFinished(() => engine.close());
    const { jsm } = engine;
    for (const each of [worker, gateway]) {
      each.signal('SIGKILL');
      await each.exited;
    }
    expect(await readersOf(jsm)).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await readersOf(jsm)).toBe(0), { timeout: 60_000, interval: 500 });
  });

  test('are as many as it needs a minute after its network was lost again and again', {
    timeout: 150_000,
  }, async () => {
    const server = await natsServer();
    const proxy = await createProxy(server.port);
    const engine = await openEngine({ nats: `nats://127.0.0.1:${proxy.port}` });
    onTestFinished(() => engine.close());
    const direct = await openEngine({ nats: server.url });
    onTestFinished(() => direct.close());
    const seen: string[] = [];
    for (let watch = 0; watch < 3; watch += 1)
      onTestFinished(await engine.records.watch(({ key }) => seen.push(key)));
    for (let faults = 0; faults < 3; faults += 1) {
      proxy.cut();
      proxy.silence();
      // As long as a reader bears.
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      proxy.release();
      seen.length = 0;
      await direct.records.put(`key${faults}`, '{}', { revision: 0 });
      await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(3), 30_000);
    }
    const { jsm } = direct;
    await vi.waitFor(async () => expect(await readersOf(jsm)).toBe(3), { timeout: 60_000, interval: 500 });
  });
});

withNats('a server that starts after those who need it', () => {
  test('is waited for, and they say what they wait for', async () => {
    const [port = 0] = await freePorts(1);
    const told: Diagnostic[] = [];
    const opening = openEngine({
      nats: `nats://127.0.0.1:${port}`,
      startMs: 60_000,
      onDiagnostic: (each) => told.push(each),
    });
    await vi.waitFor(() => expect(told).not.toEqual([]), { timeout: 20_000 });
    expect(told).toMatchObject([{ code: 'FLEET_WAITS', message: expect.stringContaining('refused') }]);
    await natsServer({ port });
    const engine = await opening;
    expect(engine.isConnected()).toBe(true);
    await engine.close();
  });
});

test('a server that accepts connections and says nothing is left, so that the program can exit', async () => {
  const closed: Promise<unknown>[] = [];
  const silent = createServer((socket) => closed.push(once(socket.resume(), 'close')));
  silent.listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await expect(openEngine({ nats: `nats://127.0.0.1:${port}`, startMs: 0 })).rejects.toMatchObject({
    code: 'FLEET_NOT_STARTED',
  });
  expect(closed.length).toBeGreaterThan(0);
  await Promise.all(closed);
});

/** How many readers the engine has. */
async function readersOf(jsm: NatsParts['jsm']): Promise<number> {
  let readers = 0;
  for await (const { config } of jsm.streams.list())
    for await (const _reader of jsm.consumers.list(config.name)) readers += 1;
  return readers;
}
