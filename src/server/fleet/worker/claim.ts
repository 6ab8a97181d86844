import { CoxswainError } from '../../../wire/util/errors.js';
import type { Engine } from '../engine/engine.js';
import { type Epoch, isLeased, type LastEpoch, lastEpoch, takeEpoch } from '../engine/epochs.js';
import { StoredLog } from '../log/stored-log.js';
import type { FleetRecord } from '../record.js';
import { leftRecord } from './record-keeper.js';

/** Enough that two owners of one conversation never have the same. */
const SERIES_LENGTH = 8;

/** A live worker has the conversation: nobody takes it. */
export class HeldError extends CoxswainError {
  /** Who has it. */
  readonly by: string;

  constructor(session: string, by: string) {
    super('FLEET_FENCED', `The worker ${by} has the conversation ${session}.`);
    this.by = by;
  }
}

/** A conversation that a worker has taken, and what the earlier owner left. */
export interface Claim {
  readonly epoch: Epoch;
  /** The name of the new owner's numbers. */
  readonly series: string;
  /** When the epoch before it was granted; 0 if there was none. */
  readonly since: number;
  readonly left: Awaited<ReturnType<typeof leftRecord>>;
}

/**
 * Who must lose its lease before a worker may take a conversation: its owner, unless that is the worker itself or has
 * released it. Two owners at once would both run what waits.
 */
export function holderOf(
  self: string,
  last: Pick<LastEpoch, 'worker' | 'sequence'> | undefined,
  record: Pick<FleetRecord, 'epoch' | 'worker'> | undefined,
): string | undefined {
  const isReleased = record !== undefined && record.epoch === last?.sequence && record.worker === undefined;
  return isReleased || last?.worker === self ? undefined : last?.worker;
}

/**
 * Takes a conversation, never from a worker whose lease lives. Of several that try, one succeeds: each depends on the
 * epoch whose owner it has looked at.
 * @throws HeldError. @throws CoxswainError `FLEET_FENCED`, `STORE_TOO_NEW`.
 */
export async function claim(engine: Engine, session: string, worker: string): Promise<Claim> {
  // Nothing is taken from a newer version that this one cannot read.
  await new StoredLog(engine, session).checkFormat();
  const last = await lastEpoch(engine, session);
  if (last?.isNewer === true)
    throw new CoxswainError('STORE_TOO_NEW', 'A newer version of Coxswain has this conversation.');
  const { record } = await leftRecord(engine, session);
  const holder = holderOf(worker, last, record);
  if (holder !== undefined && (await isLeased(engine, holder))) throw new HeldError(session, holder);
  const series = engine.makeId().slice(0, SERIES_LENGTH);
  const epoch = await takeEpoch(engine, session, { worker, series, after: last?.sequence ?? 0 });
  // The earlier owner may have written until now.
  return { epoch, series, since: last?.at ?? 0, left: await leftRecord(engine, session) };
}
