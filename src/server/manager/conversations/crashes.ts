import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** Starts in a row that may end without a result before a conversation fails. */
const MAX_CRASHES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Errors of an open that a second try would meet again. */
const LASTING: ReadonlySet<string> = new Set([
  'OPTION_INVALID',
  'CLI_NOT_FOUND',
  'CLI_NOT_EXECUTABLE',
  'CLI_TOO_OLD',
  'CLI_WRONG_PLATFORM',
  'CWD_INVALID',
  'ROOT_BYPASS',
  'SESSION_MISSING',
  'CALLBACK_UNREACHABLE',
  'WORKSPACE_FAILED',
]);

/** Whether somebody has to act before another start is worth it. */
export function isLasting(error: unknown, crashes: number): boolean {
  const { code } = error as { readonly code?: string };
  return crashes >= MAX_CRASHES || (code !== undefined && LASTING.has(code));
}

/** How long to wait before the next start: longer each time, and not the same for all. */
export function pauseAfter(crashes: number, random: () => number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (crashes - 1));
  return pause * (0.5 + random() / 2);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** How a message ends that a CLI may have got before the host ended. */
export function lost(): TurnOutcome {
  const message = 'The host ended while this message was in progress; its result is unknown.';
  return { kind: 'cli-ended', error: new CoxswainError('CLI_ENDED', message) };
}

/** Why the turn behind a deferred call never came. */
export function lostCall(): CoxswainError {
  return new CoxswainError('CLI_ENDED', 'The CLI ended during the deferred call.');
}
