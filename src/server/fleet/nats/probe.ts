import { randomUUID } from 'node:crypto';
import { systemClock, within } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { NatsParts } from './open-engine.js';
import { watchBucket } from './watch-bucket.js';
import { isRefused, MARK_TTL, mustWait, putKey } from './writes.js';

/** How long the engine may take to mark an expired key: the key lives one second. */
const MARK_WITHIN_MS = 15_000;

/**
 * Checks that the engine can fence: older servers accept unknown conditions and ignore them. The result is stored there.
 * @throws CoxswainError `FLEET_ENGINE_UNFIT`.
 */
export async function probe(engine: NatsParts): Promise<void> {
  const version = engine.connection.info?.version ?? 'unknown';
  const key = `probed.${version.replaceAll(/[^\w-]/g, '_')}`;
  if ((await engine.workers.get(key)) !== null) return;
  const fault = (await fenceFault(engine)) ?? (await expiryFault(engine));
  if (fault !== undefined) {
    const message = `The NATS server ${version} cannot run a fleet: ${fault} Fleets are tested with nats-server 2.15.`;
    throw new CoxswainError('FLEET_ENGINE_UNFIT', message);
  }
  await engine.workers.put(key, version);
}

/** A write can depend on another subject: the right sequence is accepted, a wrong one refused. */
async function fenceFault({ js, jsm, names }: NatsParts): Promise<string | undefined> {
  const session = `probe-${randomUUID()}`;
  const epoch = names.epoch(session);
  const write = (sequence: number) => {
    const expect = { lastSubjectSequence: sequence, lastSubjectSequenceSubject: epoch };
    return js.publish(names.events(session), '', { expect }).then(
      () => true,
      (error: unknown) => {
        if (isRefused(error) || mustWait(error)) return false;
        throw error;
      },
    );
  };
  try {
    const { seq } = await js.publish(epoch, '', { expect: { lastSubjectSequence: 0 } });
    const [right, wrong] = [await write(seq), await write(seq + 1_000)];
    if (right && !wrong) return undefined;
    return 'it does not check a write against the last one of another subject, so an old owner could keep writing.';
  } finally {
    await jsm.streams.purge(names.streamOf(session), { filter: names.everything(session) });
  }
}

/** A key can have its own lifetime, and watchers are notified when it expires. */
async function expiryFault(engine: NatsParts): Promise<string | undefined> {
  const bucket = engine.names.workers;
  const key = `probe.${randomUUID()}`;
  const expired = deferred<void>();
  // The client's own watcher would leave its reader behind for minutes.
  const stop = await watchBucket(engine, { bucket, key }, ({ value }) => {
    if (value === undefined) expired.resolve();
  });
  try {
    await putKey(engine, { bucket, key }, { value: '{}', seconds: 1, revision: 0 });
    if (await within(expired.promise, MARK_WITHIN_MS, systemClock)) return undefined;
    return 'keys do not expire individually, so a dead worker would go unnoticed.';
  } finally {
    stop();
    await engine.workers.purge(key, { ttl: MARK_TTL });
  }
}
