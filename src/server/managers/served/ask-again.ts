import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { waitFor } from '../../fleet/engine/persist.js';

const AGAIN_MS = 1_000;
/** How long a worker may be missing that would tell. */
const LONGEST_MS = 10 * 60_000;

/** The dependencies of {@link askAgain}. */
export interface AskAgainParts {
  readonly clock: Clock;
  /** Aborted when the program leaves. */
  readonly signal: AbortSignal;
  /** Whether the outcome of the message is known. */
  readonly isOver: () => boolean;
  /** Called when a server may have accepted the message. */
  readonly onUnclear: () => void;
}

/**
 * Sends a message, and again under the same id while nobody can tell whether a worker has accepted it: it runs once at
 * most. Resolves with its outcome if it has one: `error` if no worker has it, `unknown` if nobody could tell for too long.
 */
export async function askAgain(
  ask: () => Promise<unknown>,
  { clock, signal, isOver, onUnclear }: AskAgainParts,
): Promise<TurnOutcome | undefined> {
  const begun = clock.now();
  for (;;) {
    try {
      await ask();
      return undefined;
    } catch (error) {
      if (errorCode(error) !== 'FLEET_UNANSWERED') return { kind: 'error', message: errorText(error) };
      onUnclear();
      if (clock.now() - begun > LONGEST_MS) return { kind: 'unknown', message: errorText(error) };
    }
    await waitFor(AGAIN_MS, { clock, signal });
    if (signal.aborted || isOver()) return undefined;
  }
}
