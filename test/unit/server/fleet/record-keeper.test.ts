import { expect, test } from 'vitest';
import { takeEpoch } from '../../../../src/server/fleet/engine/epochs.js';
import { RecordKeeper } from '../../../../src/server/fleet/worker/record-keeper.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

test('a write that fails does not keep the next one from being made', async () => {
  const { world, servers, connect } = makeServers();
  const engine = connect();
  await world.run(async () => {
    const epoch = await takeEpoch(engine, 's', { worker: 'one', after: 0 });
    const record = { format: 1, epoch, summary: { state: 'idle' } };
    const records = [
      () => {
        throw new Error('unforeseen');
      },
      () => record as never,
    ];
    const keeper = new RecordKeeper({
      engine,
      epoch,
      clock: world,
      left: { record: undefined, revision: 0 },
      record: () => records.shift()?.(),
      flushed: () => undefined,
      onFenced: () => {},
    });
    await expect(keeper.write()).rejects.toThrow('unforeseen');
    await keeper.write();
    expect(servers.records.find('s').value).toEqual(record);
    keeper.close();
  });
});

test('a record is not ahead of the log: what happens while that is stored comes with the next write', async () => {
  const { world, servers, connect } = makeServers();
  const engine = connect();
  await world.run(async () => {
    const epoch = await takeEpoch(engine, 's', { worker: 'one', after: 0 });
    let state = 'idle';
    const keeper = new RecordKeeper({
      engine,
      epoch,
      clock: world,
      left: { record: undefined, revision: 0 },
      record: () => ({ format: 1, epoch, summary: { state } }) as never,
      flushed: async () => {
        state = 'needs-you';
      },
      onFenced: () => {},
    });
    await keeper.write();
    expect(servers.records.find('s').value).toMatchObject({ summary: { state: 'idle' } });
    await keeper.write();
    expect(servers.records.find('s').value).toMatchObject({ summary: { state: 'needs-you' } });
    keeper.close();
  });
});
