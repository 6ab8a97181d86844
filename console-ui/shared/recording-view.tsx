import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { AboutPanel } from './about-panel.js';
import { CostChart } from './cost-chart.js';
import { FilterBar, type FilterBarHandle } from './filter-bar.js';
import { FrameDetails, type FrameDetailsProps } from './frame-details.js';
import { FrameList, type FrameListHandle } from './frame-list.js';
import { MistakeList } from './mistake-list.js';
import { partnerOf } from './model/exchanges.js';
import { nextMistake, nextTurn } from './model/next-row.js';
import { rangeIn, setRange } from './model/row-filter.js';
import { type ListItem, placeOf } from './model/row-list.js';
import type { WireLog, WireSnapshot } from './model/wire-log.js';
import type { WireRow } from './model/wire-row.js';
import { SpanList } from './span-list.js';
import { SummaryBar } from './summary-bar.js';
import { type Tab, Tabs } from './tabs.js';
import { Timeline } from './timeline.js';
import { useRows, useWire } from './use-wire.js';
import './panels.css';
import './wire.css';

/** The props of a {@link RecordingView}. */
export interface RecordingViewProps {
  readonly log: WireLog;
  readonly title: string;
  /** Shown next to the title, such as whether it is live. */
  readonly beside?: ReactNode;
  /** Whether a list that shows its end keeps following it when more arrives. */
  readonly followEnd?: boolean | undefined;
  /** Offers to resend a host's control request. */
  readonly onResend?: ((row: WireRow) => void) | undefined;
}

const PANELS = ['details', 'spans', 'cost', 'mistakes', 'about'] as const;

/** The list is next to a panel; if there is no room for both, it becomes the tab `frames`. */
type Panel = 'frames' | (typeof PANELS)[number];

/** A view of a session's wire: timeline, list, details, spans, cost, mistakes. It updates as its log grows. */
export function RecordingView({ log, title, beside, followEnd = true, onResend }: RecordingViewProps) {
  const wire = useWire(log);
  const [filter, setFilter] = useState('');
  const [fold, setFold] = useState(true);
  const { items, problems } = useRows(log, filter, fold);
  const { panel, setPanel, selected, select, open } = useSelection();
  const { list, filterBar, panelBox, toList, toDetails, toFilter } = useFocus(setPanel, open);
  const box = useRef<HTMLDivElement>(null);
  useKeys(box, { wire, selected, open, setPanel, toList, toFilter });
  const range = rangeIn(filter);
  return (
    <div ref={box} className="wire" data-panel={panel}>
      <SummaryBar title={title} wire={wire}>
        {beside}
        {range !== undefined && (
          <button type="button" onClick={() => setFilter(setRange(filter))}>
            Show the whole time range
          </button>
        )}
      </SummaryBar>
      <Timeline
        {...{ wire, range, selected }}
        onSelect={open}
        onRange={(part) => setFilter(setRange(filter, part))}
      />
      <Tabs
        label="Views"
        controls="wire-panel"
        current={panel}
        onChange={setPanel}
        tabs={tabsFor(wire.findings.length)}
      />
      <section className="wire-frames" aria-label="Frames">
        <FilterBar
          {...{ filter, fold, problems }}
          handle={filterBar}
          onFilter={setFilter}
          onFold={setFold}
          shown={items.length}
          of={wire.rows.length}
          onLeave={toList}
        />
        <FrameList
          {...{ items, wire, followEnd }}
          handle={list}
          selected={selected?.at}
          onSelect={select}
          onOpen={open}
          onEnter={toDetails}
        />
      </section>
      <div
        ref={panelBox}
        className="wire-panel"
        id="wire-panel"
        role="tabpanel"
        aria-label={TITLES[panel]}
        tabIndex={0}
      >
        <PanelContent
          {...{ panel, wire, onResend }}
          item={itemOf(items, selected)}
          onSelect={open}
          onFilter={setFilter}
        />
      </div>
    </div>
  );
}

/** Which row is selected, and where it is shown. */
function useSelection() {
  const [panel, setPanel] = useState<Panel>('frames');
  const [selected, setSelected] = useState<WireRow | undefined>(undefined);
  const open = useCallback((row: WireRow) => {
    setSelected(row);
    setPanel('details');
  }, []);
  const select = useCallback((row: WireRow) => {
    setSelected(row);
    setPanel((now) => (now === 'frames' ? now : 'details'));
  }, []);
  return { panel, setPanel, selected, select, open };
}

/** Where the focus can go; a hidden element cannot have it, so it is shown first. */
function useFocus(setPanel: (panel: Panel) => void, open: (row: WireRow) => void) {
  const list = useRef<FrameListHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const panelBox = useRef<HTMLDivElement>(null);
  const toList = () => {
    flushSync(() => setPanel('frames'));
    list.current?.focus();
  };
  const toDetails = (row: WireRow) => {
    flushSync(() => open(row));
    panelBox.current?.focus();
  };
  return { list, filterBar, panelBox, toList, toDetails, toFilter: () => filterBar.current?.focus() };
}

interface PanelContentProps extends FrameDetailsProps {
  readonly panel: Panel;
}

function PanelContent({ panel, ...details }: PanelContentProps) {
  const { wire, onSelect } = details;
  switch (panel) {
    case 'spans':
      return <SpanList wire={wire} onSelect={onSelect} />;
    case 'cost':
      return <CostChart turns={wire.turns} onSelect={onSelect} />;
    case 'mistakes':
      return <MistakeList wire={wire} onSelect={onSelect} />;
    case 'about':
      return <AboutPanel wire={wire} />;
    default:
      return <FrameDetails {...details} />;
  }
}

interface ViewKeysOptions {
  readonly wire: WireSnapshot;
  readonly selected: WireRow | undefined;
  readonly open: (row: WireRow) => void;
  readonly setPanel: (panel: Panel) => void;
  readonly toList: () => void;
  readonly toFilter: () => void;
}

/** The keys that work wherever the focus is in the view, or if there is none; but not while typing. */
function useKeys(box: { readonly current: HTMLElement | null }, options: ViewKeysOptions): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target } = event;
      const isOurs =
        target === document.body || (target instanceof Node && box.current?.contains(target) === true);
      if (!isOurs || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isTyping(target) && pressed(key, latest.current)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [box]);
}

const TO_LIST = new Set(['Escape', 'ArrowDown', 'j', 'k']);

/** Handles a key; false if it does nothing here. */
function pressed(
  key: string,
  { wire, selected, open, setPanel, toList, toFilter }: ViewKeysOptions,
): boolean {
  const row = rowFor(key, wire, selected);
  const panel = key === '?' ? 'about' : PANELS[Number(key) - 1];
  if (row !== undefined) open(row);
  else if (panel !== undefined) setPanel(panel);
  else if (key === '/') toFilter();
  else if (TO_LIST.has(key)) toList();
  else return false;
  return true;
}

function rowFor(key: string, wire: WireSnapshot, selected: WireRow | undefined): WireRow | undefined {
  if (key === 'p' && selected !== undefined) return partnerOf(selected, wire.exchanges.get(selected.index));
  if (key === 'n') return nextMistake(wire, selected);
  return key === 't' ? nextTurn(wire, selected) : undefined;
}

/** The list item that contains a row; a row hidden by the filter is its own item. */
function itemOf(items: readonly ListItem[], row: WireRow | undefined): ListItem | undefined {
  if (row === undefined) return undefined;
  return items[placeOf(items, row.at)] ?? { row, count: 1, last: row };
}

const TITLES: Readonly<Record<Panel, string>> = {
  frames: 'Frames',
  details: 'Details',
  spans: 'Spans',
  cost: 'Cost',
  mistakes: 'Mistakes',
  about: 'About',
};

function tabsFor(mistakes: number): readonly Tab<Panel>[] {
  return (['frames', ...PANELS] as const).map((id) => ({
    id,
    title: (
      <>
        {TITLES[id]}
        {id === 'mistakes' && mistakes > 0 && <span className="wire-badge">{mistakes}</span>}
      </>
    ),
  }));
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
}
