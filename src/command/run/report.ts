import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { TurnUsage } from '../../host/session/turns/usage.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { count, dollars, duration } from '../../wire/util/numbers.js';
import { plain } from '../../wire/util/plain.js';
import type { Tally } from '../asking/answerers.js';
import { EXIT_DENIED, EXIT_FAILED, EXIT_OK, exitCodeOf, exitCodeOfOutcome } from '../exit-codes.js';
import type { Look } from '../terminal/look.js';
import type { StopReason } from './stop-sequence.js';

/** How a conversation ended. */
export interface Report {
  /** How the last turn ended; undefined if the session was never opened. */
  readonly outcome: TurnOutcome | undefined;
  /** Why it could not be opened. */
  readonly error: Error | undefined;
  readonly exitCode: number;
  /** What stopped it, if anything did. */
  readonly stoppedBy: StopReason | undefined;
  readonly sessionId: string | undefined;
  readonly cliVersion: string | undefined;
  readonly durationMs: number;
  readonly usage: TurnUsage;
  readonly prompts: Readonly<Tally>;
}

/** The exit code of a conversation. */
export function exitCodeFor(
  { outcome, error, prompts }: Pick<Report, 'outcome' | 'error' | 'prompts'>,
  stopCode: number | undefined,
): number {
  if (outcome?.kind === 'success') return wasDenied(prompts) ? EXIT_DENIED : EXIT_OK;
  if (stopCode !== undefined) return stopCode;
  if (outcome !== undefined) return exitCodeOfOutcome(outcome.kind);
  return error instanceof CoxswainError ? exitCodeOf(error.code) : EXIT_FAILED;
}

/** Nobody could be asked, or everything was denied. */
function wasDenied({ allowed, denied, unanswered }: Tally): boolean {
  return unanswered > 0 || (denied > 0 && allowed === 0);
}

/** The last line for people: time, tokens, cost, and the id for resuming. */
export function summaryLine({ outcome, durationMs, usage, sessionId }: Report, look: Look): string {
  const { inputTokens, cacheReadInputTokens, cacheCreationInputTokens, outputTokens, costUsd } = usage;
  const read = inputTokens + cacheReadInputTokens + cacheCreationInputTokens;
  const sign = outcome?.kind === 'success' ? look.green(look.good) : look.red(look.bad);
  const parts = [
    duration(durationMs),
    `${count(read)} tokens in, ${count(outputTokens)} out`,
    dollars(costUsd),
    ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
  ];
  return `${sign} ${look.dim(parts.join(` ${look.dot} `))}`;
}

/** What went wrong with a turn, why, and what to do, one line each; empty if nothing did. */
export function explainOutcome({ outcome, sessionId, stoppedBy, prompts }: Report): readonly string[] {
  if (outcome === undefined) {
    return stoppedBy === undefined ? [] : [`coxswain: Stopped before the session was open (${stoppedBy}).`];
  }
  if (outcome.kind === 'success') {
    return wasDenied(prompts) ? ['coxswain: The turn ended, but a permission was denied.'] : [];
  }
  if (stoppedBy !== undefined) return [`coxswain: The turn was stopped (${stoppedBy}).`];
  const why = reasonOf(outcome);
  const remedy = REMEDIES[outcome.kind]?.(sessionId ?? '<id>');
  return [
    `coxswain: ${WHAT[outcome.kind]}`,
    ...(why === undefined ? [] : [`why: ${plain(why)}`]),
    ...(remedy === undefined ? [] : [`what to do: ${remedy}`]),
  ];
}

type FailureKind = Exclude<TurnOutcome['kind'], 'success'>;

function reasonOf(outcome: TurnOutcome): string | undefined {
  if ('message' in outcome) return outcome.message;
  if (outcome.kind === 'cli-ended') return outcome.error.message;
  return outcome.kind === 'stalled' ? `no output for ${duration(outcome.quietMs)}` : undefined;
}

const WHAT: Readonly<Record<FailureKind, string>> = {
  error: 'The turn failed.',
  'output-invalid': 'The answer does not match the schema.',
  'max-turns': 'The turn limit was reached.',
  budget: 'The budget is spent.',
  'rate-limited': 'The API rate limit was reached.',
  auth: 'The API did not accept the credentials.',
  stalled: 'The CLI stalled.',
  'cli-ended': 'The CLI ended in the middle of the turn.',
  unknown: 'The message may have run.',
  interrupted: 'The turn was interrupted.',
  cancelled: 'The message was cancelled before its turn began.',
  closed: 'The session was closed before the turn ended.',
  aborted: 'The turn was aborted.',
};

const REMEDIES: Readonly<Partial<Record<FailureKind, (sessionId: string) => string>>> = {
  'max-turns': (id) => `raise --max-turns, or continue with --resume ${id}`,
  budget: (id) => `raise --max-budget-usd, or continue with --resume ${id}`,
  'rate-limited': () => 'wait, then run it again.',
  auth: () =>
    'log in with the CLI itself (run claude, or npx claude in your project, then /login), or set ANTHROPIC_API_KEY.',
  stalled: () => 'run npx coxswain doctor.',
  'cli-ended': (id) => `run npx coxswain doctor, or continue with --resume ${id}`,
};
