import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { dollars } from '../../../src/wire/util/numbers.js';
import { SessionMenu } from '../session-menu/session-menu.js';
import { routeTo } from '../store/route.js';
import { Memory } from '../ui/memory.js';
import { SessionName } from '../ui/session-name.js';
import { StateDot } from '../ui/state-dot.js';
import { shortTime } from '../ui/time.js';

/** A session in the list. */
export function SessionRow({ session, isCurrent }: { session: SessionSummary; isCurrent: boolean }) {
  const { id, state, costUsd, changedAt, permissionMode, memory } = session;
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
          <span className="spacer" />
          <span className="faint session-meta">
            {memory !== undefined && (
              <>
                <Memory memory={memory} /> ·{' '}
              </>
            )}
            {costUsd > 0 && `${dollars(costUsd)} · `}
            {shortTime(changedAt)}
          </span>
        </span>
      </a>
      <SessionMenu session={session} />
    </li>
  );
}
