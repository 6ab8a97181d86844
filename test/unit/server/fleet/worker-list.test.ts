import { expect, test } from 'vitest';
import { WorkerList } from '../../../../src/server/fleet/placement/worker-list.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

const facts = {
  format: 1,
  worker: 'one',
  host: 'a',
  slots: 2,
  used: 0,
  labels: ['gpu'],
  roots: ['/work'],
  draining: false,
  version: '1.0.0',
};

test('a lease that does not say what a worker offers is not listed; one of a newer version is', async () => {
  const { world, connect } = makeServers();
  const engine = connect();
  const list = new WorkerList();
  await world.run(async () => {
    const put = (key: string, value: unknown) =>
      engine.leases.put(key, JSON.stringify(value), { revision: 0, seconds: 60 });
    await put('one', { ...facts, alsoNew: true });
    await put('two', {});
    await put('three', { ...facts, worker: 'three', labels: 'gpu' });
    await list.open(engine, () => {});
    expect(list.offers).toEqual({ labels: ['gpu'], cliVersions: [] });
    expect(list.all.map(({ worker }) => worker)).toEqual(['one']);
    expect(list.has('two')).toBe(false);
    list.close();
  });
});
