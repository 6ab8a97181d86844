import { isObject } from '../../../wire/protocol/frames.js';
import { errorText } from '../../../wire/util/error-text.js';
import { EngineError, type PutOptions } from '../engine/engine.js';
import type { NatsParts } from './open-engine.js';
import { isPlacing } from './settling.js';

/** How long the marker of a deleted key stays; one without an end would stay forever. */
export const MARK_TTL = '1m';

/** The engine's error for a write that depends on another one that is no longer the last. */
const WRONG_LAST = 10071;
/** A cluster's error while another write that depends on the same one is in progress: it may still succeed. */
const UNDER_WAY = 10164;

/** Whether a write was refused because something else was written before: retrying is pointless. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === WRONG_LAST;
}

/** Whether a write has to wait for another one in progress. */
export function mustWait(error: unknown): boolean {
  return codeOf(error) === UNDER_WAY;
}

function codeOf(error: unknown): unknown {
  return isObject(error) || error instanceof Error ? (error as { code?: unknown }).code : undefined;
}

/** Passes an error on as one of an engine, if it has a meaning there. */
export async function asEngine<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw engineError(error);
  }
}

/** An error of the NATS client as one of an engine; one without a meaning there stays as it is. */
export function engineError(cause: unknown): unknown {
  const as = (why: EngineError['why']) => new EngineError(why, errorText(cause), { cause });
  if (isRefused(cause)) return as('refused');
  if (mustWait(cause)) return as('busy');
  return isPlacing(cause) ? as('unready') : cause;
}

/** A key of a bucket. */
export interface BucketKey {
  readonly bucket: string;
  readonly key: string;
}

/** Writes a key; returns its revision. */
export async function putKey(
  { js }: Pick<NatsParts, 'js'>,
  { bucket, key }: BucketKey,
  { value, revision, seconds, timeoutMs = 5_000 }: PutOptions & { readonly value: string },
): Promise<number> {
  const { seq } = await js.publish(`$KV.${bucket}.${key}`, value, {
    ...(seconds === undefined ? {} : { ttl: `${seconds}s` }),
    timeout: timeoutMs,
    expect: { lastSubjectSequence: revision },
  });
  return seq;
}
