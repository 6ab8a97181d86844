import { useEffect, useRef, useState } from 'react';
import type { SessionView } from '../model/view.js';
import { promptNeed } from '../prompts/titles.js';
import { useConsole } from '../store/context.js';
import { fullName } from './names.js';

/** Says aloud, for those who do not see the page, what needs somebody and what the model has said. */
export function Announcer({ view }: { view: SessionView | undefined }) {
  const sessions = useConsole((state) => state.sessions);
  const needs = [...sessions.values()].flatMap((each) =>
    each.prompts.map((prompt) => `${fullName(each, sessions)} needs you. ${promptNeed(prompt)}`),
  );
  const said = useSaid(view);
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

/** How much is said aloud: who wants more reads it. */
const SPOKEN = 4_000;

/** The last text that was said while somebody was there: once, and not what was said before. */
function useSaid(view: SessionView | undefined): string {
  const [said, setSaid] = useState('');
  const seen = useRef<string>(undefined);
  const last = view?.conversation.items.findLast((item) => item.kind === 'text' && !item.streaming);
  const hasBegun = view !== undefined && view.last > 0;
  useEffect(() => {
    if (!hasBegun) return;
    const isNews = seen.current !== undefined && last !== undefined && last.id !== seen.current;
    if (seen.current === undefined || isNews) seen.current = last?.id ?? '';
    if (isNews && last.kind === 'text') setSaid(last.text.slice(0, SPOKEN));
  }, [hasBegun, last]);
  return said;
}
