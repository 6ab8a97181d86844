import type { Message, ResultMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ApiRetry } from '../../../wire/protocol/reading/api-retry.js';
import { wireTime } from '../../../wire/protocol/reading/plan-limits.js';
import type { InputTokens, TurnUsage } from './usage.js';

/** A usage limit as the CLI reports it. */
export type RateLimit = Message<'rate_limit_event'>['rate_limit_info'];

/** Fields that every outcome can have. */
export interface OutcomeFacts {
  /** The CLI's result message, if there is one. */
  readonly result?: ResultMessage;
  /** The usage of the turn. */
  readonly usage?: TurnUsage;
  /** What its first call to the model has read: how much of that came from the prompt cache. */
  readonly firstRequest?: InputTokens;
}

/** With a typed schema, every success has an output. */
export type SuccessOutput<Output> = unknown extends Output
  ? { readonly output?: unknown }
  : { readonly output: Output };

/** How a turn ended. Every turn has exactly one outcome. */
export type TurnOutcome<Output = unknown> = Readonly<OutcomeFacts> &
  (
    | ({ readonly kind: 'success'; readonly text: string } & SuccessOutput<Output>)
    | { readonly kind: 'error'; readonly message: string; readonly status?: number }
    | { readonly kind: 'output-invalid'; readonly message: string; readonly output?: unknown }
    | { readonly kind: 'max-turns'; readonly message: string; readonly by: 'cli' }
    | { readonly kind: 'budget'; readonly message: string; readonly by: 'cli' | 'host' }
    | {
        readonly kind: 'rate-limited';
        readonly message: string;
        readonly limit?: RateLimit;
        /** When the limit ends, if the CLI reports it. */
        readonly endsAt?: Date;
      }
    | { readonly kind: 'auth'; readonly message: string; readonly reason: string }
    | { readonly kind: 'interrupted' }
    | { readonly kind: 'cancelled' }
    | { readonly kind: 'aborted' /** The reason of the signal. */; readonly cause: unknown }
    | { readonly kind: 'stalled'; readonly quietMs: number }
    | { readonly kind: 'cli-ended'; readonly error: Error }
    /** A server was lost with its CLI: the message may have run. It is not sent again. */
    | { readonly kind: 'unknown'; readonly message: string }
    | { readonly kind: 'closed' }
  );

/** What a turn saw before its result that matters for the outcome. */
export interface TurnEvidence {
  /** The host requested an interrupt while the turn ran. */
  readonly interruptAsked: boolean;
  /** The `error` field of the last assistant message that had one. */
  readonly assistantError?: string | undefined;
  /** The last `rate_limit_info` seen. */
  readonly rateLimit?: WireObject | undefined;
  readonly usage?: TurnUsage | undefined;
  readonly firstRequest?: InputTokens | undefined;
}

/** Reads a result message. `is_error` counts, and the subtype too, because old CLIs set `is_error` to false there. */
export function outcomeOf(result: WireObject, evidence: TurnEvidence): TurnOutcome {
  const ended = {
    result: result as ResultMessage,
    ...(evidence.usage === undefined ? {} : { usage: evidence.usage }),
    ...(evidence.firstRequest === undefined ? {} : { firstRequest: evidence.firstRequest }),
  };
  switch (result.subtype) {
    case 'success':
      return result.is_error === true ? apiFailure(result, evidence, ended) : success(result, ended);
    case 'error_max_turns':
      return {
        kind: 'max-turns',
        by: 'cli',
        message: errorText(result, 'The turn limit was reached.'),
        ...ended,
      };
    case 'error_max_budget_usd':
      return { kind: 'budget', by: 'cli', message: errorText(result, 'The budget was spent.'), ...ended };
    case 'error_max_structured_output_retries':
      return {
        kind: 'output-invalid',
        message: errorText(result, 'No output matched the schema.'),
        ...ended,
      };
    default:
      return wasInterrupted(result, evidence)
        ? { kind: 'interrupted', ...ended }
        : { kind: 'error', message: errorText(result, 'The turn failed; the CLI gave no reason.'), ...ended };
  }
}

function success(result: WireObject, ended: OutcomeFacts): TurnOutcome {
  const text = typeof result.result === 'string' ? result.result : '';
  const output = 'structured_output' in result ? { output: result.structured_output } : {};
  return { kind: 'success', text, ...output, ...ended };
}

/** On the wire, API failures are `success` with `is_error`; the text is then in `result`. */
function apiFailure(result: WireObject, evidence: TurnEvidence, ended: OutcomeFacts): TurnOutcome {
  const message =
    typeof result.result === 'string' && result.result !== '' ? result.result : 'The API call failed.';
  const { assistantError } = evidence;
  const status = apiStatus(result, message);
  if (RENEWAL_TEXT.test(message)) return { kind: 'auth', message, reason: 'login_renewal', ...ended };
  if (assistantError !== undefined && AUTH_ERRORS.has(assistantError)) {
    return { kind: 'auth', message, reason: assistantError, ...ended };
  }
  if (status === 401)
    return { kind: 'auth', message, reason: assistantError ?? 'authentication_failed', ...ended };
  if (assistantError === 'rate_limit' || status === 429) {
    const limit = evidence.rateLimit === undefined ? {} : { limit: evidence.rateLimit as RateLimit };
    const endsAt = limitEnd(message, evidence.rateLimit);
    return { kind: 'rate-limited', message, ...limit, ...(endsAt === undefined ? {} : { endsAt }), ...ended };
  }
  return { kind: 'error', message, ...(status === undefined ? {} : { status }), ...ended };
}

const AUTH_ERRORS: ReadonlySet<string> = new Set([
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'billing_error',
  'cloud_credential_error',
]);

/** Whether an error name of the CLI is about credentials. */
function isAuthError(error: string): boolean {
  return AUTH_ERRORS.has(error);
}

/** Newer CLIs say so instead of sending a token that has ended. */
const RENEWAL_TEXT = /^Failed to refresh OAuth token: another .* is refreshing it/;

/** Whether a turn failed because another CLI renews the login: it usually works a little later. */
export function isLoginRenewal(outcome: TurnOutcome): boolean {
  return outcome.kind === 'auth' && outcome.reason === 'login_renewal';
}

/** Newer CLIs report the status; the text of older ones starts with it. */
function apiStatus(result: WireObject, message: string): number | undefined {
  if (typeof result.api_error_status === 'number') return result.api_error_status;
  const found = /^API Error:? \(?(\d{3})\b/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

function wasInterrupted(result: WireObject, { interruptAsked }: TurnEvidence): boolean {
  if (result.subtype !== 'error_during_execution') return false;
  const reason = result.terminal_reason;
  return interruptAsked || reason === 'aborted_streaming' || reason === 'aborted_tools';
}

function errorText(result: WireObject, otherwise: string): string {
  const errors = Array.isArray(result.errors)
    ? result.errors.filter((error) => typeof error === 'string')
    : [];
  return errors.length === 0 ? otherwise : errors.join('\n');
}

/**
 * When a usage limit ends, if the CLI reports it. Newer CLIs send it (`resetsAt`), older ones only write it: after a
 * vertical bar, or as a time of day in the text of the answer. With an API key none of them reports it.
 */
export function limitEnd(message: string, limit: WireObject | undefined, now = Date.now()): Date | undefined {
  const ms = wireTime(limit?.resetsAt) ?? wireTime(Number(/limit reached\|(\d{10,13})/.exec(message)?.[1]));
  return ms === undefined ? written(message, now) : new Date(ms);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A time of day that has passed by less than this is today's. */
const JUST_MS = 10 * MINUTE_MS;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `resets 9:44am (UTC)`, `resets Nov 19, 9am (Europe/Berlin)`. */
const WRITTEN =
  /resets (?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2}),? (?:at )?)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?<half>am|pm) \((?<zone>[\w/+-]+)\)/;

function written(message: string, now: number): Date | undefined {
  const found = WRITTEN.exec(message)?.groups;
  if (found === undefined) return undefined;
  const { month, day, hour, minute = '0', half, zone = 'UTC' } = found;
  try {
    const today = inZone(now, zone);
    const named = month === undefined ? -1 : MONTHS.indexOf(month);
    const date = named === -1 ? today.getUTCDate() : Number(day);
    const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
    const endIn = (year: number) => {
      const monthIndex = named === -1 ? today.getUTCMonth() : named;
      const wall = Date.UTC(year, monthIndex, date, hours, Number(minute));
      // Seconds are not written, so one minute is added.
      return wall - (inZone(wall, zone).getTime() - wall) + MINUTE_MS;
    };
    const year = today.getUTCFullYear();
    // Without a year the nearest one is meant: a date that has just passed is not a year away.
    if (named !== -1) return new Date(nearest(now, [year - 1, year, year + 1].map(endIn)));
    const end = endIn(year);
    return new Date(end > now - JUST_MS ? end : end + DAY_MS);
  } catch {
    // This system does not know the time zone.
    return undefined;
  }
}

function nearest(now: number, times: readonly number[]): number {
  return times.reduce((one, other) => (Math.abs(other - now) < Math.abs(one - now) ? other : one));
}

/** A date whose UTC fields show the local time in this zone. */
function inZone(ms: number, zone: string): Date {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return new Date(`${shown.format(ms).replace(' ', 'T')}Z`);
}

/** How a turn ends if its credentials are refused and nobody wants to wait for the retries. */
export function authOutcome({ error, status }: ApiRetry): Extract<TurnOutcome, { kind: 'auth' }> | undefined {
  if (status !== 401 && !isAuthError(error)) return undefined;
  const message = `The API refused the credentials (${error}${status === undefined ? '' : `, status ${status}`}).`;
  return { kind: 'auth', message, reason: error };
}
