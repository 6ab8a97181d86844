import { statSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Names } from '../../src/server/fleet/nats/names.js';
import { temporaryFolder } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { startTestGateway } from '../support/fleet.js';
import { workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { type NatsCluster, natsCluster } from '../support/nats/nats-cluster.js';
import { type NatsServer, natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('an engine that fails', () => {
  test('by a crash of its only server: what was said meanwhile is there when it is back', async () => {
    const server = await natsServer();
    const talk = await talkOn(server.url);
    await talk.say(100, 20);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 100'));
    await server.kill();
    await server.start();
    await talk.until(({ event }) => JSON.stringify(event).includes('100 of 100'));
    await talk.talk(3);
    expect(await talk.owners()).toHaveLength(1);
    expect(await talk.problems()).toEqual([]);
  });

  test('by being full: what was said meanwhile comes when there is room', async () => {
    const server = await natsServer({ jetstream: 'max_file_store: 12MB' });
    const said = join(await temporaryFolder(), 'said');
    const talk = await talkOn(server.url, { said });
    const connection = await connect({ servers: server.url });
    onTestFinished(() => connection.close());
    const js = jetstream(connection);
    const jsm = await js.jetstreamManager();
    await jsm.streams.add({ name: 'filler', subjects: ['filler'] });
    await talk.say(300, 20);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 300'));
    for (const bytes of [200_000, 1_000, 1])
      await fill(() => js.publish('filler', new Uint8Array(bytes), { timeout: 2_000 }));
    const stored = async () => (await jsm.streams.info(new Names().streamOf(talk.session))).state.last_seq;
    const [before, { size }] = [await stored(), statSync(said)];
    await vi.waitFor(() => expect(statSync(said).size).toBeGreaterThan(size + 20), 30_000);
    expect(await stored()).toBe(before);
    await jsm.streams.purge('filler');
    await talk.until(({ event }) => JSON.stringify(event).includes('300 of 300'));
    expect(await talk.problems()).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'by %s of the leader of three: nothing is lost',
    async (signal) => {
      const cluster = await natsCluster();
      const talk = await talkOn(cluster.urls);
      await loseLeader(cluster, talk, { signal, stream: new Names().streamOf(talk.session) });
      expect(await talk.problems()).toEqual([]);
    },
  );

  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'by %s of the leader of three that has the leases: with the default lease, the worker keeps its own',
    async (signal) => {
      const cluster = await natsCluster();
      const talk = await talkOn(cluster.urls, { leaseSeconds: undefined });
      await loseLeader(cluster, talk, { signal, stream: `KV_${new Names().workers}` });
      expect(await talk.owners()).toHaveLength(1);
      expect(await talk.problems()).toEqual([]);
    },
  );

  test('by a restart of one server after the other: nothing is lost', async () => {
    const cluster = await natsCluster();
    const talk = await talkOn(cluster.urls);
    await talk.say(400, 30);
    await talk.until(({ event }) => JSON.stringify(event).includes('3 of 400'));
    for (const server of cluster.servers) {
      await server.stop();
      await server.start();
    }
    await talk.until(({ event }) => JSON.stringify(event).includes('400 of 400'));
    await talk.talk(3);
    expect(await talk.problems()).toEqual([]);
  });
});

async function talkOn(nats: string | readonly string[], options: object = {}): Promise<FleetTalk> {
  const root = await temporaryFolder();
  await workerProcess({ nats, root, leaseSeconds: 60, ...options });
  const gateway = await startTestGateway({ fleet: { nats } });
  return FleetTalk.open(gateway, { cwd: root, nats });
}

/** Takes away the server that leads a stream while a turn is under way, and brings it back after the turn. */
async function loseLeader(
  cluster: NatsCluster,
  talk: FleetTalk,
  { signal, stream }: { readonly signal: 'SIGKILL' | 'SIGSTOP'; readonly stream: string },
): Promise<void> {
  await talk.talk(3);
  await talk.say(200, 30);
  await talk.until(({ event }) => JSON.stringify(event).includes('3 of 200'));
  const leader = await leaderOf(cluster, stream);
  leader.signal(signal);
  await talk.until(({ event }) => JSON.stringify(event).includes('200 of 200'));
  if (signal === 'SIGKILL') await leader.start();
  else leader.signal('SIGCONT');
  await talk.talk(3);
}

/** Waits for a leader: on a busy machine, one may just be elected. */
async function leaderOf(cluster: NatsCluster, stream: string): Promise<NatsServer> {
  let leader: NatsServer | undefined;
  await eventually(async () => {
    leader = await cluster.leaderOf(stream);
    return leader !== undefined;
  });
  return leader as unknown as NatsServer;
}

/** Writes until the store takes no more. */
async function fill(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write();
    } catch {
      return;
    }
  }
}
