import { useEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../../src/remote/contract.js';
import type { SessionView } from '../model/view.js';
import { promptNeed } from '../prompts/titles.js';
import { useConsole } from '../store/context.js';
import { titleOf } from './time.js';

/** Says aloud, for those who do not see the page, what needs somebody and what the model has said. */
export function Announcer({
  session,
  view,
}: {
  session: SessionSummary | undefined;
  view: SessionView | undefined;
}) {
  const sessions = useConsole((state) => state.sessions);
  const needs = [...sessions.values()].flatMap((each) =>
    each.prompts.map((prompt) => `${titleOf(each)} needs you. ${promptNeed(prompt)}`),
  );
  const said = useSaid(session?.id, view);
  return (
    <>
      <div className="hidden" role="status" aria-live="polite">
        {said}
      </div>
      <div className="hidden" aria-live="assertive">
        {needs.at(-1)}
      </div>
    </>
  );
}

/** The last text that was said while somebody was there: whole, once, and not what was said before. */
function useSaid(session: string | undefined, view: SessionView | undefined): string {
  const [said, setSaid] = useState('');
  const seen = useRef<{ session: string | undefined; id: string | undefined }>({ session, id: undefined });
  const last = view?.conversation.items.findLast((item) => item.kind === 'text' && !item.streaming);
  useEffect(() => {
    const isSameSession = seen.current.session === session;
    const isNews =
      isSameSession && last !== undefined && seen.current.id !== undefined && seen.current.id !== last.id;
    seen.current = { session, id: last?.id ?? '' };
    setSaid(isNews && last.kind === 'text' ? last.text : '');
  }, [session, last]);
  return said;
}
