import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Item } from '../model/items.js';
import type { CutOff } from '../model/view.js';
import { useConsole, useIsOpen, useReach } from '../store/context.js';
import { useMatches } from './use-matches.js';

/** Finds words in a conversation: the browser's own search sees only rendered rows. */
export function FindBar({
  session,
  items,
  cutOff,
  text,
  onText,
  onShow,
  onClose,
}: {
  session: string;
  items: readonly Item[];
  cutOff: CutOff;
  text: string;
  onText: (text: string) => void;
  /** Scrolls to a row; undefined if nothing was found. */
  onShow: (id: string | undefined) => void;
  onClose: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const found = useMatches(items, text);
  const [at, setAt] = useState<string>();
  const { all, isLooking } = useAll(session, cutOff);
  // The last one first: it is nearest to where a conversation opens.
  const index = at === undefined || !found.includes(at) ? found.length - 1 : found.indexOf(at);
  const current = found[index];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function shows the same row
  useEffect(() => onShow(current), [current]);
  useEffect(() => field.current?.focus(), []);
  const step = (by: 1 | -1) => setAt(found.at((index + by + found.length) % Math.max(1, found.length)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? 1 : -1);
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <search className="find-bar" onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="search"
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <span className="faint" role="status">
        {text.trim() !== '' && (found.length === 0 ? 'None' : `${index + 1} of ${found.length}`)}
      </span>
      <button
        type="button"
        className="quiet icon"
        aria-label="Previous match"
        disabled={found.length < 2}
        onClick={() => step(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        className="quiet icon"
        aria-label="Next match"
        disabled={found.length < 2}
        onClick={() => step(1)}
      >
        ↓
      </button>
      {cutOff === 'more' && (
        <button type="button" className="quiet small" disabled={isLooking} onClick={all}>
          {isLooking ? 'Loading…' : 'Search earlier messages'}
        </button>
      )}
      <button type="button" className="quiet icon" aria-label="Close the search" onClick={onClose}>
        ✕
      </button>
    </search>
  );
}

/** Loads all earlier messages, part by part. */
function useAll(session: string, cutOff: CutOff): { readonly all: () => void; readonly isLooking: boolean } {
  const { link } = useReach();
  const [wanted, setWanted] = useState(false);
  const isFetching = useConsole(({ fetching }) => fetching.has(session));
  const isOpen = useIsOpen();
  const isLooking = wanted && cutOff === 'more';
  useEffect(() => {
    if (isLooking && isOpen && !isFetching) link.fetchEarlier(session);
  }, [link, session, isLooking, isOpen, isFetching]);
  return { all: () => setWanted(true), isLooking };
}
