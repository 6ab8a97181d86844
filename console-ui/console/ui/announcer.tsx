import { useEffect, useRef, useState } from 'react';
import type { SessionView } from '../model/view.js';
import { promptNeed } from '../prompts/titles.js';
import { useConsole } from '../store/context.js';
import { fullName } from './names.js';

/** Announces, for screen readers, what needs attention and what the model has said. */
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

/** How much is announced: for more, read the page. */
const SPOKEN = 4_000;

/** The last text that arrived while you were there: once, and nothing older. */
function useSaid(view: SessionView | undefined): string {
  const [said, setSaid] = useState('');
  const seen = useRef<string>(undefined);
  const last = view?.conversation.items.findLast((item) => item.kind === 'text' && item.state !== 'writing');
  const hasBegun = view !== undefined && view.last > 0;
  useEffect(() => {
    if (!hasBegun) return;
    const isNews = seen.current !== undefined && last !== undefined && last.id !== seen.current;
    if (seen.current === undefined || isNews) seen.current = last?.id ?? '';
    if (isNews && last.kind === 'text') setSaid(last.text.slice(0, SPOKEN));
  }, [hasBegun, last]);
  return said;
}
