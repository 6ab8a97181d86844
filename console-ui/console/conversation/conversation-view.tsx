import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Item } from '../model/items.js';
import { Empty } from './empty.js';
import { Row } from './row.js';

/** How far from the end still counts as at the end. */
const NEAR_END = 80;

/** The rows of a conversation; only those in sight are in the page. It stays at the end while somebody is there. */
export function ConversationView({
  items: all,
  queued,
  cutOff,
  loading,
  working,
}: {
  items: readonly Item[];
  queued: readonly string[];
  cutOff: boolean;
  /** Whether nothing of the session has come yet. */
  loading: boolean;
  /** What is said below the last row while the model is at work. */
  working: ReactNode;
}) {
  const items = useMemo(() => waitingLast(all, queued), [all, queued]);
  const frame = useRef<HTMLElement>(null);
  const { atEnd, toEnd, onScroll } = useEnd(frame);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 72,
    overscan: 8,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const height = rows.getTotalSize();
  useLayoutEffect(() => {
    // Height is a dependency: rows are measured after they are shown.
    if (atEnd.current && height > 0) toEnd();
  });
  return (
    <div className="conversation-frame">
      <section
        className="conversation"
        ref={frame}
        onScroll={onScroll}
        tabIndex={0}
        aria-label="Conversation"
      >
        {cutOff && <p className="faint centred">The beginning is not kept any more.</p>}
        {loading && <p className="faint centred">Fetching what was said…</p>}
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
      <ToEnd
        frame={frame}
        onPress={() => {
          toEnd();
          // The button goes, and the focus must not go with it.
          frame.current?.focus();
        }}
      />
    </div>
  );
}

/** What waits is shown below what is being said. */
function waitingLast(items: readonly Item[], queued: readonly string[]): readonly Item[] {
  const isWaiting = (item: Item) =>
    item.kind === 'user' && (item.state === 'queued' || queued.includes(item.id));
  if (!items.some(isWaiting)) return items;
  return [...items.filter((item) => !isWaiting(item)), ...items.filter(isWaiting)];
}

function useEnd(frame: React.RefObject<HTMLElement | null>) {
  const atEnd = useRef(true);
  const toEnd = useCallback(() => {
    const element = frame.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
    atEnd.current = true;
  }, [frame]);
  const onScroll = useCallback(() => {
    atEnd.current = isNearEnd(frame.current);
  }, [frame]);
  return { atEnd, toEnd, onScroll };
}

function isNearEnd(element: HTMLElement | null): boolean {
  return element === null || element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
}

/** Leads back to the end, for whoever has scrolled away from it. */
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
