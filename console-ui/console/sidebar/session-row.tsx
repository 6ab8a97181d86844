import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { estimatedDollars } from '../../../src/wire/util/numbers.js';
import { SessionMenu } from '../session-menu/session-menu.js';
import { routeTo } from '../store/route.js';
import { Ago } from '../ui/ago.js';
import { Memory } from '../ui/memory.js';
import { memoryWords } from '../ui/memory-words.js';
import { SessionName } from '../ui/session-name.js';
import { StateDot } from '../ui/state-dot.js';

/** A session in the list: two lines, whatever it has to say. */
export function SessionRow({ session, isCurrent }: { session: SessionSummary; isCurrent: boolean }) {
  const { id, state, costUsd, changedAt, permissionMode, memory, tags = [] } = session;
  return (
    <li className="session-item">
      <a
        className="session-row"
        href={routeTo(id)}
        aria-current={isCurrent ? 'page' : undefined}
        data-mode={permissionMode}
        title={memory && memoryWords(memory)}
      >
        <SessionName session={session} />
        <span className="session-line">
          <StateDot state={state} />
          {tags.length > 0 && (
            <span className="faint session-tags">{tags.map((tag) => `#${tag}`).join(' ')}</span>
          )}
          {/* From the right, as many as fit. */}
          <span className="faint session-meta session-facts">
            <Ago at={changedAt} />
            {costUsd > 0 && <span>{estimatedDollars(costUsd)} ·&nbsp;</span>}
            {memory?.over === true && (
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
