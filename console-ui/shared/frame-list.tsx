import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Exchange, partnerOf } from './model/exchanges.js';
import { joinedText, type ListItem, placeOf } from './model/row-list.js';
import { clockText, latencyText } from './model/time-axis.js';
import type { WireSnapshot } from './model/wire-log.js';
import { summaryOf, type WireRow } from './model/wire-row.js';
import './frame-list.css';

/** The props of a {@link FrameList}. */
export interface FrameListProps {
  readonly items: readonly ListItem[];
  readonly wire: WireSnapshot;
  /** The `at` of the selected row. */
  readonly selected: number | undefined;
  readonly onSelect: (row: WireRow) => void;
  /** A click: select the row. */
  readonly onOpen: (row: WireRow) => void;
  /** Enter: move to the row's details. */
  readonly onEnter: (row: WireRow) => void;
  /** Whether a list that shows its end keeps following it when more arrives. */
  readonly followEnd: boolean;
  readonly handle?: Ref<FrameListHandle> | undefined;
}

/** What others may do with the list. */
export interface FrameListHandle {
  focus(): void;
}

const [ROW, NARROW_ROW, NARROW_WIDTH] = [27, 50, 620];

/** A virtual list of frames with arrow key navigation; it follows its end while that is visible. */
export function FrameList(props: FrameListProps) {
  const { items, wire, selected, followEnd, onSelect, onOpen, onEnter, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const narrow = useNarrow(box);
  const height = narrow ? NARROW_ROW : ROW;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 16,
  });
  useImperativeHandle(handle, () => ({ focus: () => box.current?.focus() }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured anew when their height changes
  useLayoutEffect(() => virtual.measure(), [height]);
  useFollowEnd(box, followEnd ? items.length * height : 0, () => virtual.scrollToIndex(items.length - 1));

  const place = selected === undefined ? -1 : placeOf(items, selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves into sight only when it is chosen
  useEffect(() => {
    if (place !== -1) virtual.scrollToIndex(place);
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    const item = items[placeAfter(event, place, { count: items.length, page: pageOf(box, height) })];
    if (item !== undefined) {
      event.preventDefault();
      onSelect(item.row);
    } else if (event.key === 'Enter' && items[place] !== undefined) {
      event.preventDefault();
      onEnter(items[place].row);
    }
  };

  const partner = partnerIndex(wire, items[place]);
  const shown = virtual.getVirtualItems();
  const active = shown.some(({ index }) => index === place) ? `wire-row-${items[place]?.row.at}` : undefined;
  return (
    <div
      ref={box}
      className="wire-list"
      role="listbox"
      aria-label="Frames"
      aria-activedescendant={active}
      tabIndex={0}
      data-narrow={narrow}
      onKeyDown={onKeyDown}
    >
      <div className="wire-list-inner" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <FrameRow
              key={item.row.at}
              item={item}
              rows={wire.rows}
              exchange={wire.exchanges.get(item.row.index)}
              mistakes={wire.findingsAt.get(item.row.at)?.length ?? 0}
              isSelected={index === place}
              isPartner={item.row.index === partner}
              place={{ index, of: items.length, top: start, height }}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}

interface FrameRowProps {
  readonly item: ListItem;
  readonly rows: readonly WireRow[];
  readonly exchange: Exchange | undefined;
  readonly mistakes: number;
  readonly isSelected: boolean;
  /** Whether it is the request or the answer of the selected one. */
  readonly isPartner: boolean;
  readonly place: {
    readonly index: number;
    readonly of: number;
    readonly top: number;
    readonly height: number;
  };
  readonly onSelect: (row: WireRow) => void;
  readonly onOpen: (row: WireRow) => void;
}

/** How much of a text is visible on a line. */
const SEEN = 300;

function FrameRow({
  item,
  rows,
  exchange,
  mistakes,
  isSelected,
  isPartner,
  place,
  onSelect,
  onOpen,
}: FrameRowProps) {
  const { row, count } = item;
  const joined = count > 1 ? joinedText(rows, item, SEEN) : '';
  const press = () => {
    onSelect(row);
    onOpen(row);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={`wire-row-${row.at}`}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place.index + 1}
      aria-setsize={place.of}
      className="wire-row"
      data-from={row.from ?? 'note'}
      data-kind={rowKind(row)}
      data-partner={isPartner}
      style={{ transform: `translateY(${place.top}px)`, height: place.height }}
      onClick={press}
    >
      <span className="wire-time">{clockText(row.t)}</span>
      <span className="wire-sender">
        <Sender row={row} />
      </span>
      <span className="wire-label">
        <span>{row.label}</span>
        {count > 1 && <span className="wire-count">×{count}</span>}
      </span>
      <span className="wire-summary">{joined || summaryOf(row)}</span>
      <span className="wire-marks">
        {mistakes > 0 && (
          <span className="wire-flag">{mistakes === 1 ? 'mistake' : `${mistakes} mistakes`}</span>
        )}
        <Latency row={row} exchange={exchange} />
      </span>
    </div>
  );
}

/** The sender in words, for screen readers. */
function Sender({ row }: { readonly row: WireRow }) {
  if (row.from === undefined) return <span aria-hidden="true">·</span>;
  return row.from === 'host' ? <>host →</> : <>← cli</>;
}

function Latency({ row, exchange }: { readonly row: WireRow; readonly exchange: Exchange | undefined }) {
  if (exchange === undefined) return null;
  if (exchange.how === 'open')
    return exchange.question === undefined ? null : <span className="wire-open">open</span>;
  if (exchange.answer?.index !== row.index) return null;
  return (
    <span className="wire-latency" data-how={exchange.how}>
      {exchange.how === 'success' ? '' : `${exchange.how === 'refusal' ? 'refused' : 'withdrawn'} `}
      {exchange.ms === undefined ? '' : latencyText(exchange.ms)}
    </span>
  );
}

/** The look of a row; a turn runs from bound to bound. */
function rowKind({ type, from, entry }: WireRow): string {
  if (entry.kind !== 'line') return 'note';
  if (type === 'noise') return 'noise';
  if (type === 'result' || (type === 'user' && from === 'host')) return 'bound';
  return type.startsWith('control_') ? 'control' : 'message';
}

function partnerIndex({ exchanges }: WireSnapshot, item: ListItem | undefined): number | undefined {
  return item === undefined ? undefined : partnerOf(item.row, exchanges.get(item.row.index))?.index;
}

function placeAfter({ key }: KeyboardEvent, place: number, size: { count: number; page: number }): number {
  const last = size.count - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(last, place + 1),
    j: Math.min(last, place + 1),
    ArrowUp: Math.max(0, place - 1),
    k: Math.max(0, place - 1),
    PageDown: Math.min(last, place + size.page),
    PageUp: Math.max(0, place - size.page),
    Home: 0,
    End: last,
  };
  return steps[key] ?? -1;
}

function pageOf(box: { readonly current: HTMLElement | null }, height: number): number {
  return Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / height) - 1);
}

function useNarrow(box: { readonly current: HTMLElement | null }): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setNarrow(element.clientWidth > 0 && element.clientWidth < NARROW_WIDTH);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return narrow;
}

/** Scrolls to the end when a list grows that showed its end before; a scrolled list stays where it is. */
function useFollowEnd(
  box: { readonly current: HTMLElement | null },
  height: number,
  toEnd: () => void,
): void {
  const before = useRef(height);
  useEffect(() => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    const sawEnd = scrollTop + clientHeight >= before.current - NEAR_END;
    if (height > before.current && sawEnd) toEnd();
    before.current = height;
  });
}

const NEAR_END = 40;
