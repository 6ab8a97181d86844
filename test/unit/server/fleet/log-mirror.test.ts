import { expect, test } from 'vitest';
import { plainLine, stamp } from '../../../../src/server/console/log/entry.js';
import { openEventLog } from '../../../../src/server/console/log/event-log.js';
import { takeEpoch } from '../../../../src/server/fleet/engine/epochs.js';
import { LogMirror, type LogMirrorParts } from '../../../../src/server/fleet/log/log-mirror.js';
import { temporaryFolder } from '../../../support/console.js';
import { makeServers } from '../../../support/simulation/make-servers.js';

test('has nothing to store of a series of numbers that no event has begun', async () => {
  const folder = await temporaryFolder();
  const earlier = await openEventLog({ folder });
  earlier.log.add({ kind: 'note' });
  await earlier.log.close();
  const { log } = await openEventLog({ folder }, true);
  const { world, connect } = makeServers();
  const mirror = new LogMirror({
    engine: connect(),
    epoch: { session: 's', sequence: 1 },
    series: 'a',
    log,
    clock: world,
    from: 2,
    onFenced: () => {},
  });
  // Somebody waits while it still reads the disk for events that the engine lacks.
  await mirror.flushed();
  expect(mirror.behind).toBe(0);
  mirror.close();
  await log.close();
});

test('waits before it reads a disk again that could not be read, and says so', async () => {
  const { world, connect } = makeServers();
  const engine = connect();
  let [reads, isUnread] = [0, false];
  const line = stamp(plainLine({ kind: 'note' }), 1, 0);
  const log: LogMirrorParts['log'] = {
    last: 1,
    first: 1,
    firstRecent: 2,
    written: 0,
    watch: () => () => {},
    recent: (from) => (from < 2 ? undefined : []),
    stored: async function* () {
      reads += 1;
      if (world.now() < 30_000) throw new Error('EIO');
      yield line;
    },
    startOfTail: async () => 1,
    has: async () => true,
    losses: 0,
    isGap: () => false,
  };
  await world.run(async () => {
    const epoch = await takeEpoch(engine, 's', { worker: 'one', after: 0 });
    const onUnread = () => {
      isUnread = true;
    };
    const mirror = new LogMirror({
      engine,
      epoch,
      series: 'a',
      log,
      clock: world,
      from: 1,
      onFenced: () => {},
      onUnread,
    });
    await mirror.flushed();
    expect(mirror.kept).toBe(1);
    mirror.close();
  });
  expect(isUnread).toBe(true);
  expect(reads).toBeLessThan(30);
});
