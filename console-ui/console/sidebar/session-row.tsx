import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { dollars } from '../../../src/wire/util/numbers.js';
import { SessionMenu } from '../session-menu/session-menu.js';
import { useConsole } from '../store/context.js';
import { routeTo } from '../store/route.js';
import { Memory } from '../ui/memory.js';
import { markOf } from '../ui/names.js';
import { SessionName } from '../ui/session-name.js';
import { StateDot } from '../ui/state-dot.js';
import { shortTime } from '../ui/time.js';

/** A session in the list. */
export function SessionRow({ session, isCurrent }: { session: SessionSummary; isCurrent: boolean }) {
  const { id, state, costUsd, changedAt, permissionMode, memory } = session;
  const mark = useConsole(({ sessions }) => markOf(id, sessions));
  const time = shortTime(changedAt);
  return (
    <li className="session-item">
      <a
        className="session-row"
        href={routeTo(id)}
        aria-current={isCurrent ? 'page' : undefined}
        data-mode={permissionMode}
      >
        <SessionName session={session} />
        <span className="session-line">
          <StateDot state={state} />
          {/* From the right, as many as fit. */}
          <span className="faint session-meta session-facts">
            {/* The name may have this time already. */}
            {mark?.startsWith(time) !== true && <span>{time}</span>}
            {costUsd > 0 && <span>{dollars(costUsd)} ·&nbsp;</span>}
            {memory !== undefined && (
              <span>
                <Memory memory={memory} /> ·&nbsp;
              </span>
            )}
          </span>
        </span>
      </a>
      <SessionMenu session={session} />
    </li>
  );
}
