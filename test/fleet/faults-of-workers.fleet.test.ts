import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { Names } from '../../src/server/fleet/nats/names.js';
import { eventIn } from '../support/console.js';
import { startTestGateway } from '../support/fleet.js';
import { type FleetProcess, workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

/** A lease that does not end while a test runs, however busy the machine is. */
const LONG = 60;
/** A lease whose end a test waits for. */
const SHORT = 10;

withNats('a worker that fails', () => {
  test('by being killed: another goes on, the interrupted turn is told, and nothing is lost or doubled', async () => {
    const { nats, root, talk, first } = await fleetOfTwo();
    await talk.talk(3);
    await talk.say(200, 50);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 200'));
    first.signal('SIGKILL');
    await first.exited;
    const second = await workerProcess({ nats, root, leaseSeconds: LONG });
    await talk.talk(3);
    expect((await talk.owners()).at(-1)).toBe(await second.heard('worker'));
    expect(talk.client.events.some((event) => JSON.stringify(eventIn(event)).includes('interrupted'))).toBe(
      true,
    );
    expect(await talk.problems()).toEqual([]);
  });

  test('by being stopped: another goes on, and what the first one does when it wakes up is not in the log', async () => {
    const { nats, root, talk, first } = await fleetOfTwo();
    await talk.talk(3);
    await talk.say(400, 50);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 400'));
    first.signal('SIGSTOP');
    const second = await workerProcess({ nats, root, leaseSeconds: LONG });
    await talk.talk(3);
    first.signal('SIGCONT');
    await first.heard('lost');
    await talk.talk(2);
    expect((await talk.owners()).at(-1)).toBe(await second.heard('worker'));
    expect(await talk.problems()).toEqual([]);
  });

  test('by losing the network: it gives up its CLIs before another goes on, and begins anew when it is back', async () => {
    const { nats, root, talk, first, proxy } = await fleetOfTwo();
    await talk.talk(3);
    await talk.say(400, 50);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 400'));
    proxy.silence();
    await first.heard('lost');
    const second = await workerProcess({ nats, root, leaseSeconds: LONG });
    await talk.talk(3);
    proxy.release();
    await first.heard('worker', 2);
    await talk.talk(2);
    expect((await talk.owners()).at(-1)).toBe(await second.heard('worker'));
    expect(await talk.problems()).toEqual([]);
  });

  test('by a cut of the connection that ends in time: it keeps its conversation, and what was said meanwhile comes', async () => {
    const { talk, proxy } = await fleetOfTwo(LONG);
    await talk.say(60, 20);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 60'));
    proxy.cut();
    await talk.until(({ event }) => JSON.stringify(event).includes('60 of 60'));
    await talk.talk(3);
    expect(await talk.owners()).toHaveLength(1);
    expect(await talk.problems()).toEqual([]);
  });

  test('by a clock that jumps: nothing happens', async () => {
    const { nats, talk, first } = await fleetOfTwo(12);
    await talk.talk(2);
    const renewed = await renewalsOf(nats, await first.heard('worker'));
    for (const hours of [24, -24]) {
      first.tell(`clock ${hours * 3_600_000}`);
      await talk.talk(10, 50);
      await renewed();
    }
    expect(first.said.some((each) => 'lost' in each)).toBe(false);
    expect(await talk.owners()).toHaveLength(1);
    expect(await talk.problems()).toEqual([]);
  });

  test('three times in a row with the same conversation: that one is given to no other', async () => {
    const { nats, root, talk, first, poison } = await fleetOfTwo();
    await talk.talk(2);
    const others: FleetProcess[] = [];
    for (let each = 0; each < 4; each += 1) others.push(await workerProcess({ nats, root, poison }));
    const exits = others.map(async (each) => {
      await each.exited;
      return each.pid;
    });
    writeFileSync(join(poison, 'all'), '');
    const failed = talk.client.ever(
      ({ type, session }) => type === 'session' && JSON.stringify(session).includes('workers in a row'),
    );
    first.signal('SIGKILL');
    // The CLI that is started for it kills each worker.
    const sent = talk.client.ask('send', { content: 'count 1 every 1' }, { session: talk.session });
    await Promise.all([failed, expect(sent).rejects.toThrow('workers in a row')]);
    // Whichever is left would have died of it too.
    const gone = await Promise.all(exits.map((each) => Promise.race([each, undefined])));
    expect(gone.filter((pid) => pid !== undefined).length).toBeLessThanOrEqual(3);
    expect(await talk.problems()).toEqual([]);
  });

  test('on purpose, one after the other: turns end, others go on, and nothing is interrupted', async () => {
    const { nats, root, talk, first } = await fleetOfTwo(LONG);
    let worker = first;
    for (let each = 0; each < 2; each += 1) {
      const next = await workerProcess({ nats, root, leaseSeconds: LONG });
      await talk.say(20, 20);
      worker.tell('drain');
      await worker.exited;
      await talk.talk(3);
      expect((await talk.owners()).at(-1)).toBe(await next.heard('worker'));
      worker = next;
    }
    expect(talk.client.events.some((event) => JSON.stringify(eventIn(event)).includes('interrupted'))).toBe(
      false,
    );
    expect(await talk.problems()).toEqual([]);
  });
});

/** A server, a gateway, one worker behind a proxy, and a conversation that this worker has. */
async function fleetOfTwo(leaseSeconds = SHORT) {
  const server = await natsServer();
  const root = mkdtempSync(join(tmpdir(), 'fleet-root-'));
  const poison = mkdtempSync(join(tmpdir(), 'fleet-poison-'));
  for (const folder of [root, poison])
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const proxy = await createProxy(server.port);
  const first = await workerProcess({ nats: `nats://127.0.0.1:${proxy.port}`, root, poison, leaseSeconds });
  const gateway = await startTestGateway({ fleet: { nats: server.url } });
  const talk = await FleetTalk.open(gateway, { cwd: root, nats: server.url });
  return { nats: server.url, server, root, poison, proxy, first, talk, gateway };
}

/** Waits for the renewals of a worker's lease, one at each call. */
async function renewalsOf(nats: string, worker: string): Promise<() => Promise<unknown>> {
  const connection = await connect({ servers: nats });
  onTestFinished(() => connection.close());
  const leases = await new Kvm(connection).open(new Names().workers);
  const changes = (await leases.watch({ key: worker, include: 'updates' }))[Symbol.asyncIterator]();
  return () => changes.next();
}
