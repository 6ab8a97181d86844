import { isObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Engine } from './engine.js';
import { type PersistOptions, persist } from './persist.js';
import { isRefused, mustWait } from './writes.js';

/** The format of epochs; a newer one is not taken over. */
const FORMAT = 1;

/** One worker's right to write to a conversation: valid until another worker takes the next one. */
export interface Epoch {
  readonly session: string;
  /** The sequence of the record that granted it. */
  readonly sequence: number;
}

/** Who owned the last epoch of a conversation. */
export interface LastEpoch {
  readonly sequence: number;
  /** Undefined once it has ended. */
  readonly worker: string | undefined;
  /** Whether a newer version wrote it. */
  readonly isNewer: boolean;
}

/** The last epoch of a conversation, according to its stream's leader; undefined if nobody has owned it. */
export async function lastEpoch(engine: Engine, session: string): Promise<LastEpoch | undefined> {
  const { jsm, names } = engine;
  const found = await jsm.streams.getMessage(names.streamOf(session), {
    last_by_subj: names.epoch(session),
  });
  if (found === null) return undefined;
  const json: unknown = found.json();
  const record = isObject(json) ? json : {};
  const worker = typeof record.worker === 'string' ? record.worker : undefined;
  return { sequence: found.seq, worker, isNewer: Number(record.format) > FORMAT };
}

/** The sequence after which to take a conversation. @throws CoxswainError `STORE_TOO_NEW` if a newer version has it. */
export async function epochToFollow(engine: Engine, session: string): Promise<number> {
  const { sequence = 0, isNewer = false } = (await lastEpoch(engine, session)) ?? {};
  if (isNewer) throw new CoxswainError('STORE_TOO_NEW', 'A newer version of Coxswain has this conversation.');
  return sequence;
}

/**
 * Takes a conversation from its owner as of `after`: if several workers try, one succeeds.
 * @throws CoxswainError `FLEET_FENCED` for the others.
 */
export async function takeEpoch(
  engine: Engine,
  session: string,
  { worker, after }: { readonly worker: string | undefined; readonly after: number },
): Promise<Epoch> {
  const record = JSON.stringify({ format: FORMAT, worker });
  try {
    const { seq } = await engine.js.publish(engine.names.epoch(session), record, {
      expect: { lastSubjectSequence: after },
      // This record is older than all events of the conversation, so it would expire first.
      ttl: 'never',
    });
    return { session, sequence: seq };
  } catch (error) {
    if (isRefused(error) || mustWait(error)) throw fenced(session, error);
    throw error;
  }
}

/**
 * Ends an epoch: nothing more is written under it. Returns the sequence of its end.
 * @throws CoxswainError `FLEET_FENCED` if another worker has the conversation.
 */
export async function endEpoch(
  engine: Engine,
  { session, sequence }: Epoch,
  again: PersistOptions,
): Promise<number> {
  let end = 0;
  const write = async () => {
    const { seq } = await engine.js.publish(engine.names.epoch(session), JSON.stringify({ format: FORMAT }), {
      // The engine recognizes it, even if the answer to the first one was lost.
      msgID: `${session}:${sequence}:end`,
      expect: { lastSubjectSequence: sequence },
      ttl: 'never',
    });
    end = seq;
  };
  if ((await persist(write, again)) !== 'done') throw fenced(session, undefined);
  return end;
}

/** The error for a write from an old owner. */
export function fenced(session: string, cause: unknown): CoxswainError {
  return new CoxswainError('FLEET_FENCED', `Another worker has the conversation ${session}.`, { cause });
}

/** The condition of every write to a conversation. */
export function underEpoch({ names }: Engine, { session, sequence }: Epoch) {
  return { lastSubjectSequence: sequence, lastSubjectSequenceSubject: names.epoch(session) };
}
