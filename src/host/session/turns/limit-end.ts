import type { WireObject } from '../../../wire/protocol/frames.js';
import { wireTime } from '../../../wire/protocol/reading/plan-limits.js';

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
