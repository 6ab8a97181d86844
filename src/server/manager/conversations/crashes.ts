import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** How many starts in a row may end without a result before a conversation fails. */
const MAX_CRASHES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Errors that a second attempt to open would hit again. */
const LASTING: ReadonlySet<string> = new Set([
  'OPTION_INVALID',
  'CLI_NOT_FOUND',
  'CLI_NOT_EXECUTABLE',
  'CLI_TOO_OLD',
  'CLI_WRONG_PLATFORM',
  'CWD_INVALID',
  'ROOT_BYPASS',
  'POLICY_REFUSED',
  'SIGN_IN_REQUIRED',
  'CONFIG_INVALID',
  'MACHINE_UNFIT',
  'SESSION_MISSING',
  'CALLBACK_UNREACHABLE',
  'WORKSPACE_FAILED',
]);

/** Whether someone has to act before another start makes sense. */
export function isLasting(error: unknown, crashes: number): boolean {
  const { code } = error as { readonly code?: string };
  return crashes >= MAX_CRASHES || (code !== undefined && LASTING.has(code));
}

/** The delay before the next start: longer each time, and randomized. */
export function pauseAfter(crashes: number, random: () => number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 1));
  return pause * (0.5 + random() / 2);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** How a message ends that a CLI may have received before the host ended. */
export type LostOutcome = TurnOutcome & { readonly kind: 'cli-ended' | 'unknown' };

/** The outcome of such a message. */
export function lost(): LostOutcome {
  const message = 'The host ended while this message was in progress; its result is lost.';
  return { kind: 'cli-ended', error: new CoxswainError('CLI_ENDED', message) };
}

/** Its outcome if the transcript, which would tell whether the CLI began, cannot be read. */
export function untold(error: unknown): LostOutcome {
  const message = `Nobody can tell whether this message ran: the host ended after a CLI got it, and the transcript cannot be read (${errorText(error)}). Either the CLI began with it, or it ended before. Look at the effects, and send the message again if it did not run.`;
  return { kind: 'unknown', message };
}

/** Why the turn after a deferred call never came. */
export function lostCall(): CoxswainError {
  return new CoxswainError('CLI_ENDED', 'The CLI ended during the deferred call.');
}
