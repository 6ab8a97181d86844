import { asText } from '../../util/as-text.js';
import { isObject, type WireObject } from '../frames.js';

/** One usage limit of an account: how much of it is used, and when it starts again. */
export interface LimitWindow {
  /** Its name, such as `five_hour` or `seven_day`. */
  readonly name: string;
  /** The used share: 0.5 is half of it. */
  readonly utilization: number;
  /** When it resets, in milliseconds since 1970; undefined if the CLI does not report it. */
  readonly resetsAt?: number | undefined;
}

/** The usage limits of an account, as CLIs reported them last. */
export interface PlanLimits {
  /** Whether requests are allowed: `allowed`, `allowed_warning`, `rejected` or another word of the CLI. */
  readonly status: string;
  /** Each window whose use is known. */
  readonly windows: readonly LimitWindow[];
  /** Whether usage beyond the limits is being billed. */
  readonly overage: boolean;
  /** When this was reported, in milliseconds since 1970. */
  readonly at: number;
}

/** The usage limits of one login. */
export interface LoginLimits extends PlanLimits {
  /** A name for the login: `default` for that of the program itself; it tells nothing about the others' secrets. */
  readonly login: string;
}

/**
 * The limits after one more message of a CLI; undefined if it reports none. Newer CLIs report all windows at once. Others
 * report only the fullest one, and how full it is only when the limit is close: the rest stay as they were until they
 * reset, or until none is close any more.
 */
export function planLimitsAfter(
  before: PlanLimits | undefined,
  message: WireObject,
  at: number,
): PlanLimits | undefined {
  const { type, rate_limit_info: info } = message;
  if (type !== 'rate_limit_event' || !isObject(info)) return undefined;
  // Some CLIs send an empty report when they start.
  if (info.rateLimitType === undefined && info.unifiedWindows === undefined) return undefined;
  const kept = info.status === 'allowed' ? [] : (before?.windows ?? []);
  const windows = new Map(kept.filter(isOpenAt(at)).map((window) => [window.name, window]));
  for (const window of reported(info)) windows.set(window.name, window);
  return {
    status: asText(info.status),
    windows: [...windows.values()],
    overage: info.isUsingOverage === true,
    at,
  };
}

/** The latest report of each login, by name. */
export function latestLimits(all: Iterable<LoginLimits | undefined>): readonly LoginLimits[] {
  const latest = new Map<string, LoginLimits>();
  for (const limits of all)
    if (limits !== undefined && limits.at > (latest.get(limits.login)?.at ?? -1))
      latest.set(limits.login, limits);
  return [...latest.values()].sort((one, other) => (one.login < other.login ? -1 : 1));
}

/** The window that is used most; those that have reset since do not count. */
export function fullestWindow(limits: PlanLimits | undefined, now: number): LimitWindow | undefined {
  const open = limits?.windows.filter(isOpenAt(now)) ?? [];
  return open.reduce<LimitWindow | undefined>(
    (fullest, window) =>
      fullest === undefined || window.utilization > fullest.utilization ? window : fullest,
    undefined,
  );
}

/** A time on the wire, which is in seconds; a number that would be far in the future is in milliseconds. */
export function wireTime(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  return value > 1e11 ? value : value * 1000;
}

function isOpenAt(now: number): (window: LimitWindow) => boolean {
  return ({ resetsAt }) => resetsAt === undefined || resetsAt > now;
}

function reported(info: WireObject): readonly LimitWindow[] {
  const { unifiedWindows, rateLimitType: name, utilization, status, resetsAt } = info;
  const all = Object.entries(isObject(unifiedWindows) ? unifiedWindows : {});
  const windows = all.flatMap(([each, window]) => (isObject(window) ? windowOf(each, window) : []));
  if (typeof name !== 'string' || windows.some((window) => window.name === name)) return windows;
  const used = status === 'rejected' ? (utilization ?? 1) : utilization;
  return [...windows, ...windowOf(name, { utilization: used, resetsAt })];
}

function windowOf(name: string, { utilization, resetsAt }: WireObject): readonly LimitWindow[] {
  if (typeof utilization !== 'number' || !Number.isFinite(utilization)) return [];
  return [{ name, utilization, resetsAt: wireTime(resetsAt) }];
}
