import { rateLimitEvent } from '../../builders/system.js';
import type { Cli } from '../cli.js';

const PREFIX = 'anthropic-ratelimit-unified';
const WINDOWS = [
  ['five_hour', '5h'],
  ['seven_day', '7d'],
] as const;
/** From here on CLIs warn. */
const NEARLY_FULL = 0.9;

/** Reports the usage limits in the headers of a model's answer, unless nothing but the used share has changed. */
export async function tellLimits(cli: Cli, headers: Headers): Promise<void> {
  const { state, traits } = cli;
  if (!state.hasAccount || !traits.reportsLimits) return;
  const told = headers.get(`${PREFIX}-status`);
  const type = headers.get(`${PREFIX}-representative-claim`);
  if (told === null || type === null) return;
  const windows = Object.fromEntries(
    WINDOWS.map(([name, short]) => [name, windowIn(headers, short)] as const).filter(
      ([, { utilization }]) => utilization !== undefined,
    ),
  );
  const { utilization = 0 } = windows[type] ?? {};
  const warns = told !== 'rejected' && utilization >= NEARLY_FULL;
  const info = {
    status: warns ? 'allowed_warning' : told,
    resetsAt: numberIn(headers, `${PREFIX}-reset`),
    rateLimitType: type,
    isUsingOverage: told === 'rejected' && headers.get(`${PREFIX}-overage-status`) === 'allowed',
    utilization: warns ? utilization : undefined,
  };
  const key = JSON.stringify(info);
  if (key === state.toldLimits) return;
  state.toldLimits = key;
  const all = traits.reportsLimitWindows ? { unifiedWindows: windows } : {};
  await cli.send(rateLimitEvent({ ...info, ...all } as object, { session_id: state.sessionId }));
}

function windowIn(headers: Headers, short: string) {
  return {
    utilization: numberIn(headers, `${PREFIX}-${short}-utilization`),
    resetsAt: numberIn(headers, `${PREFIX}-${short}-reset`),
    status: headers.get(`${PREFIX}-${short}-status`) ?? undefined,
  };
}

function numberIn(headers: Headers, name: string): number | undefined {
  const value = headers.get(name);
  return value === null ? undefined : Number(value);
}
