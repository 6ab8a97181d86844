import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useConsole } from '../store/context.js';
import { markOf, titleOf } from './names.js';

/** A session's name in a list, with what distinguishes it from others with the same name. */
export function SessionName({ session }: { session: SessionSummary }) {
  const mark = useConsole(({ sessions }) => markOf(session.id, sessions));
  return (
    <span className="session-names">
      <span className="session-title">{titleOf(session)}</span>
      {mark !== undefined && <span className="faint session-mark">{mark}</span>}
    </span>
  );
}
