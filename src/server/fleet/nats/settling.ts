import { type Clock, systemClock } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { errorText } from '../../../wire/util/error-text.js';
import { waitFor } from '../engine/persist.js';

/** How long a cluster may take to elect its leaders and to place streams. */
const SETTLE_MS = 60_000;
const PAUSE_MS = { least: 100, most: 2_000 };

/** Errors of a cluster that elects: it is unavailable for now, or the server is not the leader. */
const ELECTING: ReadonlySet<unknown> = new Set([10008, 10009]);

/**
 * Errors of a cluster that places streams: no peers, no group, none assigned, no resources, stream offline, and stream
 * not found, although it was just created. Or another worker has just created and changed one that was not found.
 */
const PLACING: ReadonlySet<unknown> = new Set([10005, 10006, 10007, 10023, 10118, 10059, 10058]);

/** What the client calls a request that nobody answers. */
const NOBODY: ReadonlySet<unknown> = new Set(['JetStreamNotEnabled', 'NoResponders']);

/** Errors of a server that has not started: it does not listen, does not answer, or its name is not known yet. */
const STARTING: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN']);

/** Whether an error passes when a server has started. A wrong address looks the same. */
export function isStarting(error: unknown): boolean {
  const { name, code, cause } = partsOf(error);
  return name === 'TimeoutError' || STARTING.has(code) || (cause !== undefined && isStarting(cause));
}

/** Whether an error passes when a cluster has elected its leader. Until then, nobody answers. */
export function isElecting(error: unknown): boolean {
  const { name, code, cause } = partsOf(error);
  return name === 'TimeoutError' || ELECTING.has(code) || (name === 'RequestError' && isElecting(cause));
}

/** Whether an error of an engine that has JetStream passes when its streams have their places and leaders. */
export function isPlacing(error: unknown): boolean {
  const { name, code, cause } = partsOf(error);
  if (name === 'RequestError' && isPlacing(cause)) return true;
  // Nobody listens for a stream without a leader; the client says the same if there is no JetStream.
  return isElecting(error) || PLACING.has(code) || NOBODY.has(name) || code === 503;
}

/** What {@link onceSettled} waits for, and whom it tells. */
export interface SettlingOptions {
  /** Whether an error passes. */
  readonly passes: (error: unknown) => boolean;
  /** How long to try. Default: 1 minute. */
  readonly forMs?: number | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
}

/** Repeats a step while a server starts, and its cluster elects and places; rejects with the last error after that time. */
export async function onceSettled<Value>(
  step: () => Promise<Value>,
  { passes, forMs = SETTLE_MS, onDiagnostic, clock = systemClock }: SettlingOptions,
): Promise<Value> {
  const begun = clock.now();
  let told = '';
  for (let pause = PAUSE_MS.least; ; pause = Math.min(2 * pause, PAUSE_MS.most)) {
    try {
      return await step();
    } catch (error) {
      if (!passes(error) || clock.now() - begun + pause > forMs) throw error;
      const message = `NATS is not ready yet; retrying for up to ${forMs / 1_000} s: ${errorText(error)}`;
      if (message !== told) onDiagnostic?.({ code: 'FLEET_WAITS', message, cause: error });
      told = message;
    }
    await waitFor(pause, { clock, signal: NEVER });
  }
}

const NEVER = new AbortController().signal;

function partsOf(error: unknown): {
  readonly name?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
} {
  return error instanceof Error ? error : {};
}
