/** How full the usage windows of an account are, for the headers of a reply. */
export interface LimitHeaderOptions {
  /** The used share of the 5-hour window. */
  readonly fiveHour?: number | undefined;
  /** The used share of the 7-day window. */
  readonly sevenDay?: number | undefined;
  /** Whether requests are allowed. Default: `allowed`. */
  readonly status?: 'allowed' | 'allowed_warning' | 'rejected' | undefined;
  /** When the 5-hour window resets. Default: in one hour. */
  readonly resetsAt?: Date | undefined;
}

const PREFIX = 'anthropic-ratelimit-unified';
/** From this used share on the API says that a threshold was passed. */
const SURPASSED = 0.9;
const HOUR_MS = 3_600_000;

/** The headers with which the API tells an account's usage limits: `reply('hi', { headers: limitHeaders({ fiveHour: 0.93 }) })`. */
export function limitHeaders({
  fiveHour = 0.1,
  sevenDay = 0.1,
  status = 'allowed',
  resetsAt = new Date(Date.now() + HOUR_MS),
}: LimitHeaderOptions = {}): Readonly<Record<string, string>> {
  const seconds = Math.floor(resetsAt.getTime() / 1000);
  const week = String(seconds + 6 * 24 * 3600);
  const isWeekly = sevenDay > fiveHour;
  return {
    [`${PREFIX}-status`]: status,
    [`${PREFIX}-reset`]: isWeekly ? week : String(seconds),
    [`${PREFIX}-representative-claim`]: isWeekly ? 'seven_day' : 'five_hour',
    [`${PREFIX}-5h-status`]: status === 'rejected' && !isWeekly ? 'rejected' : 'allowed',
    [`${PREFIX}-5h-reset`]: String(seconds),
    [`${PREFIX}-5h-utilization`]: String(fiveHour),
    [`${PREFIX}-7d-status`]: status === 'rejected' && isWeekly ? 'rejected' : 'allowed',
    [`${PREFIX}-7d-reset`]: week,
    [`${PREFIX}-7d-utilization`]: String(sevenDay),
    // Without it, CLIs warn only if the window is full early.
    ...(fiveHour >= SURPASSED ? { [`${PREFIX}-5h-surpassed-threshold`]: String(SURPASSED) } : {}),
    ...(sevenDay >= SURPASSED ? { [`${PREFIX}-7d-surpassed-threshold`]: String(SURPASSED) } : {}),
  };
}
