import { isObject } from '../../../wire/protocol/frames.js';
import type { Engine } from './engine.js';

/** The engine's error for a write that depends on a sequence that is no longer the last. */
const WRONG_LAST: ReadonlySet<unknown> = new Set([10071, 10164]);

/** Whether a write was refused because something else was written before: retrying is pointless. */
export function isRefused(error: unknown): boolean {
  return isObject(error) || error instanceof Error
    ? WRONG_LAST.has((error as { code?: unknown }).code)
    : false;
}

/** A key that expires unless it is written again. */
export interface TemporaryKey {
  readonly key: string;
  readonly value: string;
  readonly seconds: number;
  /** The expected revision; 0 for none. */
  readonly revision: number;
  readonly timeoutMs?: number | undefined;
}

/** Writes an expiring key to the workers' bucket; returns its revision. */
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
