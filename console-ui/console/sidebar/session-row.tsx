import type { SessionSummary } from '../../../src/remote/contract.js';
import { dollars } from '../../../src/util/numbers.js';
import { routeTo } from '../store/route.js';
import { StateDot } from '../ui/state-dot.js';
import { folderName, shortTime, titleOf } from '../ui/time.js';

/** A session in the list. */
export function SessionRow({ session, isCurrent }: { session: SessionSummary; isCurrent: boolean }) {
  const { id, cwd, state, costUsd, changedAt, permissionMode } = session;
  return (
    <li>
      <a
        className="session-row"
        href={routeTo(id)}
        aria-current={isCurrent ? 'page' : undefined}
        data-mode={permissionMode}
      >
        <span className="session-title">{titleOf(session)}</span>
        <span className="session-line">
          <StateDot state={state} />
          <span className="faint session-folder" title={cwd}>
            {folderName(cwd)}
          </span>
          <span className="faint session-meta">
            {costUsd > 0 && `${dollars(costUsd)} · `}
            {shortTime(changedAt)}
          </span>
        </span>
      </a>
    </li>
  );
}
