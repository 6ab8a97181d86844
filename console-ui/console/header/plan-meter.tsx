import {
  fullestWindow,
  type LoginLimits,
  latestLimits,
} from '../../../src/wire/protocol/reading/plan-limits.js';
import { useConsole } from '../store/context.js';

/** How full the account's usage windows are: the fullest one, and all of them on hover. Nothing with an API key. */
export function PlanMeter({ login }: { login: string | undefined }) {
  const limits = useConsole(({ sessions }) =>
    latestLimits([...sessions.values()].map((session) => session.limits)).find(
      (each) => each.login === login,
    ),
  );
  const fullest = fullestWindow(limits, Date.now());
  if (limits === undefined || fullest === undefined) return null;
  const { name, utilization } = fullest;
  const label = `Used of the ${nameOf(name)} limit`;
  return (
    <span className="context" title={allOf(limits)} data-over={utilization >= NEARLY_FULL}>
      <progress max={1} value={Math.min(1, utilization)} aria-label={label} />
      {Math.round(utilization * 100)} % of {nameOf(name)}
    </span>
  );
}

/** From here on it is shown in red. */
const NEARLY_FULL = 0.9;

function allOf({ windows, overage }: LoginLimits): string {
  const lines = windows.map(({ name, utilization, resetsAt }) => {
    const reset = resetsAt === undefined ? '' : `, resets ${new Date(resetsAt).toLocaleString()}`;
    return `${nameOf(name)}: ${Math.round(utilization * 100)} %${reset}`;
  });
  return [...lines, ...(overage ? ['Usage beyond the limits is being billed.'] : [])].join('\n');
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['five_hour', '5 hours'],
  ['seven_day', '7 days'],
]);

function nameOf(window: string): string {
  return NAMES.get(window) ?? window.replaceAll('_', ' ');
}
