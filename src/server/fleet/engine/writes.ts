import { isObject } from '../../../wire/protocol/frames.js';
import type { Engine } from './engine.js';

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

/** A key that expires unless it is written again. */
export interface TemporaryKey {
  readonly key: string;
  readonly value: string;
  readonly seconds: number;
  /** The revision that it must have; 0 for none. */
  readonly revision: number;
  readonly timeoutMs?: number | undefined;
}

/** Writes an expiring key of the workers' bucket; returns its revision. */
export async function putFor(
  { js, names }: Pick<Engine, 'js' | 'names'>,
  { key, value, seconds, revision, timeoutMs = 5_000 }: TemporaryKey,
): Promise<number> {
  const { seq } = await js.publish(`$KV.${names.workers}.${key}`, value, {
    ttl: `${seconds}s`,
    timeout: timeoutMs,
    expect: { lastSubjectSequence: revision },
  });
  return seq;
}
