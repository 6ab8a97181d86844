import { expect, test } from 'vitest';
import { openEventLog } from '../../../../src/server/console/log/event-log.js';
import { LogMirror } from '../../../../src/server/fleet/log/log-mirror.js';
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
