import { expect, onTestFinished, test } from 'vitest';
import { endEpoch, lastEpoch, refusalIsFinal, takeEpoch } from '../../src/server/fleet/engine/epochs.js';
import { persist } from '../../src/server/fleet/engine/persist.js';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { natsCluster } from '../support/nats/nats-cluster.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('an epoch on three servers', () => {
  test('lets its owner write several things at once, and no earlier owner', async () => {
    const { urls } = await natsCluster();
    const engine = await openEngine({ nats: urls });
    onTestFinished(() => engine.close());
    const session = 'c1';
    const old = await takeEpoch(engine, session, { worker: 'one', after: 0 });
    const write = (text: string) => {
      const append = () => engine.logs.append({ session, part: 'events' }, text, { epoch: old.sequence });
      // A leader that has yet to catch up refuses too.
      const isFinal = refusalIsFinal(engine, old);
      return persist(append, { clock: systemClock, signal: AbortSignal.timeout(60_000), isFinal });
    };
    const many = Array.from({ length: 20 }, (_, index) => write(`${index}`));
    expect(new Set(await Promise.all(many))).toEqual(new Set(['done']));
    const young = await takeEpoch(engine, session, { worker: 'two', after: old.sequence });
    expect(await write('late')).toBe('refused');
    const again = { clock: systemClock, signal: AbortSignal.timeout(60_000) };
    await expect(endEpoch(engine, old, again)).rejects.toMatchObject({ code: 'FLEET_FENCED' });
    const end = await endEpoch(engine, young, again);
    // Like an owner that has not heard the answer.
    expect(await endEpoch(engine, young, again)).toBe(end);
    expect((await lastEpoch(engine, session))?.sequence).toBe(end);
  });
});
