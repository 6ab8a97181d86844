import { fullestWindow, type LoginLimits, type PlanLimits } from '../../wire/protocol/reading/plan-limits.js';

/** From which used share on people are told without asking. */
const CLOSE = 0.8;

/** One line about a window that is nearly full: `5-hour limit: 93 % used, resets 2026-11-19 14:00`; undefined if none is. */
export function closeLimitText(limits: PlanLimits | undefined, now: number): string | undefined {
  const fullest = fullestWindow(limits, now);
  if (fullest === undefined || fullest.utilization < CLOSE) return undefined;
  const billed = limits?.overage === true ? '; usage beyond it is being billed' : '';
  return `Usage limit ${windowText(fullest)}${billed}.`;
}

/** All windows of a login on one line. */
export function limitsText({ login, windows }: LoginLimits): string {
  return `limits of ${login}: ${windows.map(windowText).join('; ')}`;
}

function windowText({ name, utilization, resetsAt }: PlanLimits['windows'][number]): string {
  const reset =
    resetsAt === undefined
      ? ''
      : `, resets ${new Date(resetsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${name}: ${Math.round(utilization * 100)} % used${reset}`;
}
