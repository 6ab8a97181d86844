import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../src/server/fleet/engine/engine.js';
import { endEpoch, lastEpoch, takeEpoch, underEpoch } from '../../src/server/fleet/engine/epochs.js';
import { persist } from '../../src/server/fleet/engine/persist.js';
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
      const publish = () =>
        engine.js.publish(engine.names.events(session), text, { expect: underEpoch(engine, old) });
      return persist(publish, { clock: systemClock, signal: AbortSignal.timeout(60_000) });
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
