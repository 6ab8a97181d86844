import { isObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type Engine, failedAs } from './engine.js';
import { type PersistOptions, persist } from './persist.js';

/** The format of epochs; a newer one is not taken over. */
const FORMAT = 1;

/** One worker's right to write to a conversation: valid until another worker takes the next one. */
export interface Epoch {
  readonly session: string;
  /** The sequence of the record that granted it. */
  readonly sequence: number;
  /** Distinguishes it from another one with the same sequence, in a store that is an older copy. */
  readonly series?: string | undefined;
  /**
   * Called before each write under it: with a new connection, the store may be an older copy, in which its sequence is
   * another worker's. @throws EngineError `refused` until it is known that it is the last one.
   */
  confirm?(): Promise<void>;
  /** Says what the last epoch of the conversation means for this one. Default: see {@link isSuperseded}. */
  look?(last: LastEpoch | undefined, elapsedMs: number): Promise<EpochState>;
  /** From now on it is not taken again if the engine has forgotten it. */
  giveUp?(): void;
}

/** What is known of an epoch: it is the last one, another one is, or the engine has to catch up before it can be told. */
type EpochState = 'held' | 'over' | 'unclear';

/** Who owned the last epoch of a conversation. */
export interface LastEpoch {
  readonly sequence: number;
  /** Undefined once it has ended. */
  readonly worker: string | undefined;
  /** The name that its owner gave to its numbers; see `BatchHead`. */
  readonly series: string | undefined;
  /** When it was granted, by the engine's clock. */
  readonly at: number;
  /** The epoch that this record has ended. */
  readonly ended: number | undefined;
  /** Whether a newer version wrote it. */
  readonly isNewer: boolean;
}

/** The last epoch of a conversation, according to its stream's leader; undefined if nobody has owned it. */
export async function lastEpoch({ logs }: Engine, session: string): Promise<LastEpoch | undefined> {
  const found = await logs.last({ session, part: 'epoch' });
  if (found === undefined) return undefined;
  const json: unknown = JSON.parse(found.text);
  const record = isObject(json) ? json : {};
  const worker = typeof record.worker === 'string' ? record.worker : undefined;
  const series = typeof record.series === 'string' ? record.series : undefined;
  const ended = typeof record.ended === 'number' ? record.ended : undefined;
  const { sequence, at } = found;
  return { sequence, at, worker, series, ended, isNewer: Number(record.format) > FORMAT };
}

/**
 * How long a stream may seem older than an epoch that it has granted. A new leader of a cluster refuses writes until it
 * has caught up; a store that was rolled back never does.
 */
const CATCH_UP_MS = 10_000;

/** Whether a refused write means that the epoch is over. Otherwise the write is tried again. */
export function isSuperseded(
  epoch: Pick<Epoch, 'sequence'>,
  last: Pick<LastEpoch, 'sequence'> | undefined,
  elapsedMs: number,
): boolean {
  // Nothing is left of a conversation that another owner has removed.
  if (last === undefined || last.sequence > epoch.sequence) return true;
  return last.sequence < epoch.sequence && elapsedMs >= CATCH_UP_MS;
}

/** Asks the stream's leader about an epoch, this long after a write under it was refused. */
export async function lookAtEpoch(engine: Engine, epoch: Epoch, elapsedMs: number): Promise<EpochState> {
  const last = await lastEpoch(engine, epoch.session);
  if (epoch.look !== undefined) return epoch.look(last, elapsedMs);
  if (isSuperseded(epoch, last, elapsedMs)) return 'over';
  return last?.sequence === epoch.sequence ? 'held' : 'unclear';
}

/** For {@link persist}: whether a refusal means that the epoch is over, so that its owner gives up. */
export function refusalIsFinal(engine: Engine, epoch: Epoch): (elapsedMs: number) => Promise<boolean> {
  return async (elapsedMs) => (await lookAtEpoch(engine, epoch, elapsedMs)) === 'over';
}

/** Whether a worker's lease lives, according to the leader of the leases. */
export async function isLeased({ leases }: Engine, worker: string): Promise<boolean> {
  return (await leases.find(worker)).value !== undefined;
}

/** Who takes a conversation, and after which epoch. */
export interface Taking {
  readonly worker: string | undefined;
  readonly after: number;
  readonly series?: string | undefined;
}

/**
 * Takes a conversation from its owner as of `after`: if several workers try, one succeeds.
 * @throws CoxswainError `FLEET_FENCED` for the others.
 */
export async function takeEpoch(
  engine: Engine,
  session: string,
  { worker, after, series }: Taking,
): Promise<Epoch> {
  const record = JSON.stringify({ format: FORMAT, worker, series });
  try {
    const sequence = await engine.logs.append({ session, part: 'epoch' }, record, { epoch: after });
    return { session, sequence };
  } catch (error) {
    if (failedAs(error, 'refused') || failedAs(error, 'busy')) throw fenced(session, error);
    throw error;
  }
}

/**
 * Ends an epoch: nothing more is written under it. Returns the sequence of its end.
 * @throws CoxswainError `FLEET_FENCED` if another worker has the conversation.
 */
export async function endEpoch(
  engine: Engine,
  epoch: Pick<Epoch, 'session' | 'sequence' | 'confirm'>,
  again: PersistOptions,
): Promise<number> {
  const { session, sequence } = epoch;
  let end = 0;
  const record = JSON.stringify({ format: FORMAT, ended: sequence });
  const write = async () => {
    await epoch.confirm?.();
    end = await engine.logs.append({ session, part: 'epoch' }, record, { epoch: sequence });
  };
  const isFinal = async (elapsedMs: number) => {
    const last = await lastEpoch(engine, session);
    // The answer to the first attempt was lost.
    if (last?.ended === sequence) end = last.sequence;
    return end > 0 || isSuperseded({ sequence }, last, elapsedMs);
  };
  const how = await persist(write, { isFinal, ...again });
  if (how !== 'done' && end === 0) throw fenced(session, undefined);
  return end;
}

/** The error for a write from an old owner. */
export function fenced(session: string, cause: unknown): CoxswainError {
  return new CoxswainError('FLEET_FENCED', `Another worker has the conversation ${session}.`, { cause });
}
