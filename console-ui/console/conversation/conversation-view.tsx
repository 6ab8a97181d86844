import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useFindBar } from '../find/use-find-bar.js';
import type { Finding } from '../find/use-finding.js';
import type { Item } from '../model/items.js';
import type { CutOff } from '../model/view.js';
import { useConsole, useIsOpen, useReach } from '../store/context.js';
import { Empty } from './empty.js';
import { Row } from './row.js';

/** How far from the end still counts as at the end. */
const NEAR_END = 80;
/** How far from the start earlier rows are requested, and how long rows may take to settle. */
const NEAR_START = 600;
const SETTLE_MS = 250;

/** The rows of a conversation; only visible ones are in the page. It stays at the end while you are there. */
export function ConversationView({
  session,
  items: all,
  queued,
  cutOff,
  loading,
  sent,
  finding,
  working,
}: {
  session: string;
  items: readonly Item[];
  queued: readonly string[];
  cutOff: CutOff;
  /** Whether no event of the session has arrived yet. */
  loading: boolean;
  /** How many messages were sent from here: after sending one, you want to see it. */
  sent: number;
  finding: Finding;
  /** Shown below the last row while the model is working. */
  working: ReactNode;
}) {
  const items = useMemo(() => waitingLast(all, queued), [all, queued]);
  const frame = useRef<HTMLElement>(null);
  const { goToEnd, stayAtEnd, leaveEnd, onScroll } = useEnd(frame);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 72,
    overscan: 8,
    getItemKey: (index) => items[index]?.id ?? index,
    // The visible rows keep their position when earlier rows are added above.
    anchorTo: 'end',
  });
  const height = rows.getTotalSize();
  const tapped = useTapped(frame, (index) => items[index]?.id);
  const isFetching = useEarlier(frame, session, cutOff);
  useLayoutEffect(() => {
    if (sent > 0) goToEnd();
  }, [sent, goToEnd]);
  useLayoutEffect(() => {
    // Height is a dependency: rows are measured after they are rendered.
    if (height > 0) stayAtEnd();
  });
  const scrollTo = (...row: Parameters<typeof rows.scrollToIndex>) => {
    leaveEnd();
    rows.scrollToIndex(...row);
  };
  const find = useFindBar({ frame, session, items, cutOff, finding, scrollTo });
  return (
    <>
      {find.bar}
      <div className="conversation-frame">
        <section
          className="conversation"
          ref={frame}
          onScroll={onScroll}
          tabIndex={0}
          aria-label="Conversation"
        >
          {cutOff === 'gone' && <p className="faint centred">Earlier messages are no longer kept.</p>}
          {loading && <p className="faint centred">Loading messages…</p>}
          {!loading && items.length === 0 && <Empty />}
          <div className="rows" style={{ height }}>
            {rows.getVirtualItems().map(({ key, index, start }) => {
              const item = items[index];
              return item === undefined ? null : (
                <div
                  key={key}
                  className="row"
                  data-index={index}
                  data-kind={item.kind}
                  data-found={item.id === find.row}
                  data-tapped={item.id === tapped}
                  ref={rows.measureElement}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Row item={item} />
                </div>
              );
            })}
          </div>
          {working}
        </section>
        {isFetching && <p className="faint centred fetching">Loading earlier messages…</p>}
        <ToEnd
          frame={frame}
          onPress={() => {
            goToEnd();
            // The button disappears, and the focus must not disappear with it.
            frame.current?.focus();
          }}
        />
      </div>
    </>
  );
}

/** The row that was tapped last: without a pointer that hovers, it shows its actions. */
function useTapped(
  frame: React.RefObject<HTMLElement | null>,
  idOf: (index: number) => string | undefined,
): string | undefined {
  const [tapped, setTapped] = useState<string>();
  const find = useRef(idOf);
  find.current = idOf;
  useEffect(() => {
    const element = frame.current;
    const look = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
      setTapped(row === null ? undefined : find.current(Number(row.dataset.index)));
    };
    element?.addEventListener('click', look, { passive: true });
    return () => element?.removeEventListener('click', look);
  }, [frame]);
  return tapped;
}

/** Waiting messages are shown below the streaming one. */
function waitingLast(items: readonly Item[], queued: readonly string[]): readonly Item[] {
  const isWaiting = (item: Item) =>
    item.kind === 'user' && (item.state === 'queued' || queued.includes(item.id));
  if (!items.some(isWaiting)) return items;
  return [...items.filter((item) => !isWaiting(item)), ...items.filter(isWaiting)];
}

/** Requests earlier events when you come near the first row; returns whether they are loading. */
function useEarlier(frame: React.RefObject<HTMLElement | null>, session: string, cutOff: CutOff): boolean {
  const { link } = useReach();
  const isFetching = useConsole(({ fetching }) => fetching.has(session));
  const isOpen = useIsOpen();
  const wants = cutOff === 'more' && isOpen && !isFetching;
  useEffect(() => {
    const element = frame.current;
    if (element === null || !wants) return;
    const look = () => {
      if (element.scrollTop > NEAR_START) return;
      element.removeEventListener('scroll', look);
      link.fetchEarlier(session);
    };
    element.addEventListener('scroll', look, { passive: true });
    // A few rows cannot be scrolled.
    const timer = setTimeout(look, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', look);
    };
  }, [frame, link, session, wants]);
  return isFetching;
}

/** Whether you are at the end, and how to get there. */
function useEnd(frame: React.RefObject<HTMLElement | null>) {
  const end = useRef({ isThere: true, top: 0, askedAt: Number.NEGATIVE_INFINITY });
  const isScrolling = useScrolling(frame);
  const look = useCallback(() => {
    const top = frame.current?.scrollTop ?? 0;
    const { isThere, askedAt } = end.current;
    // Rows that are drawn and measured on the way move everything, and a person does not scroll yet.
    const isOnWay = performance.now() - askedAt < ARRIVAL_MS && !isScrolling();
    // Only scrolling up leaves the end; growing rows, or a prompt below them, do not.
    const stays = isThere && (isOnWay || top >= end.current.top);
    end.current = { isThere: stays || isNearEnd(frame.current), top, askedAt };
  }, [frame, isScrolling]);
  const toEnd = useCallback(() => {
    const element = frame.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
    end.current = { ...end.current, isThere: true, top: element?.scrollTop ?? 0 };
  }, [frame]);
  const goToEnd = useCallback(() => {
    end.current = { ...end.current, askedAt: performance.now() };
    toEnd();
  }, [toEnd]);
  const stayAtEnd = useCallback(() => {
    const element = frame.current;
    // Scrolling up is reported only in the next frame, and must not be undone before that. Rows that turn out smaller
    // than expected move everything up too, which nobody asked for.
    if (element !== null && element.scrollTop < end.current.top && isScrolling()) look();
    if (end.current.isThere) toEnd();
  }, [frame, look, toEnd, isScrolling]);
  const leaveEnd = useCallback(() => {
    end.current = { ...end.current, isThere: false, askedAt: Number.NEGATIVE_INFINITY };
  }, []);
  return { goToEnd, stayAtEnd, leaveEnd, onScroll: look };
}

/** How long the way to the end may take: rows that were never drawn are measured on it. */
const ARRIVAL_MS = 2_000;
/** How long a touch, a key or a turn of the wheel may take to move the rows. */
const SCROLL_MS = 1_000;

/** Whether a person may be scrolling at the moment. */
function useScrolling(frame: React.RefObject<HTMLElement | null>): () => boolean {
  const seen = useRef({ at: Number.NEGATIVE_INFINITY, isHeld: false });
  useEffect(() => {
    const element = frame.current;
    const note = (isHeld: boolean) => () => {
      seen.current = { at: performance.now(), isHeld };
    };
    const [moved, held, released] = [note(false), note(true), note(false)];
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    for (const name of ['wheel', 'touchmove', 'keydown']) element?.addEventListener(name, moved, options);
    element?.addEventListener('pointerdown', held, options);
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, released, options);
    return () => listening.abort();
  }, [frame]);
  return useCallback(() => seen.current.isHeld || performance.now() - seen.current.at < SCROLL_MS, []);
}

function isNearEnd(element: HTMLElement | null): boolean {
  return element === null || element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
}

/** Scrolls back to the end. */
function ToEnd({ frame, onPress }: { frame: React.RefObject<HTMLElement | null>; onPress: () => void }) {
  const [away, setAway] = useState(false);
  useEffect(() => {
    const element = frame.current;
    const look = () => setAway(!isNearEnd(element));
    element?.addEventListener('scroll', look, { passive: true });
    return () => element?.removeEventListener('scroll', look);
  }, [frame]);
  if (!away) return null;
  return (
    <button type="button" className="to-end" onClick={onPress}>
      ↓ To the end
    </button>
  );
}
