import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/console.js';
import { startTestGateway } from '../support/fleet.js';
import { workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { youngCluster } from '../support/nats/nats-cluster.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('workers that start together with an empty cluster', () => {
  test('wait until it has elected its leader and placed the streams, and then take conversations', async () => {
    const { urls: nats } = await youngCluster();
    const root = await temporaryFolder();
    const workers = await Promise.all([1, 2, 3].map(() => workerProcess({ nats, root, leaseSeconds: 30 })));
    expect(new Set(workers.map(({ said }) => said[0]?.worker)).size).toBe(3);
    const gateway = await startTestGateway({ fleet: { nats } });
    const talk = await FleetTalk.open(gateway, { cwd: root, nats });
    await talk.talk(3);
    expect(await talk.problems()).toEqual([]);
  });
});
