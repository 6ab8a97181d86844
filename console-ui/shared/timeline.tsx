import { memo, type PointerEvent, useMemo, useRef, useState } from 'react';
import { counted, duration } from '../../src/wire/util/numbers.js';
import { makeLanes } from './model/lanes.js';
import type { Span } from './model/spans.js';
import { percent, type TimeRange, thinOut, ticksIn, tickText } from './model/time-axis.js';
import type { WireSnapshot } from './model/wire-log.js';
import type { WireRow } from './model/wire-row.js';
import './timeline.css';

/** The props of a {@link Timeline}. */
export interface TimelineProps {
  readonly wire: WireSnapshot;
  /** The visible range. Default: all of it. */
  readonly range?: TimeRange | undefined;
  readonly selected: WireRow | undefined;
  readonly onSelect: (row: WireRow) => void;
  /** A range was selected by dragging; undefined is all of it. */
  readonly onRange: (range: TimeRange | undefined) => void;
}

/**
 * Turns, tool calls, prompts and requests over time, and the lines in both directions; dragging selects a
 * range.
 */
export function Timeline({ wire, range, selected, onSelect, onRange }: TimelineProps) {
  const shown: TimeRange = {
    // A part of a large recording does not start at zero.
    since: range?.since ?? wire.rows[0]?.t ?? 0,
    until: Math.min(range?.until ?? Number.POSITIVE_INFINITY, Math.max(wire.duration, 1)),
  };
  const { drag, ...handlers } = useDrag(shown, onRange);
  const { spans, rows, version } = wire;
  // biome-ignore lint/correctness/useExhaustiveDependencies: spans change in place, with the version
  const lanes = useMemo(() => makeLanes(spans), [spans, version]);
  return (
    <section className="wire-timeline" aria-label="Timeline">
      <div className="wire-lane-titles" aria-hidden="true">
        {lanes.map(({ kind, title, tracks }) => (
          <div key={kind} style={{ height: tracks.length * TRACK }}>
            {title}
          </div>
        ))}
        <div style={{ height: TRACK }}>Host →</div>
        <div style={{ height: TRACK }}>← CLI</div>
      </div>
      <div className="wire-tracks" role="img" aria-label={timelineText(wire, shown)} {...handlers}>
        {lanes.map(({ kind, tracks }) => (
          <div key={kind} className="wire-lane">
            {tracks.map((track, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a track is its place
              <div key={index} className="wire-track" style={{ height: TRACK }}>
                {inSight(track, shown).map((span) => (
                  <SpanBar key={span.row.index} span={span} shown={shown} wire={wire} onSelect={onSelect} />
                ))}
              </div>
            ))}
          </div>
        ))}
        <Ticks rows={rows} version={version} from="host" since={shown.since} until={shown.until} />
        <Ticks rows={rows} version={version} from="cli" since={shown.since} until={shown.until} />
        <Axis shown={shown} />
        {selected !== undefined && isIn(selected.t, shown) && (
          <div className="wire-cursor" style={{ left: `${percent(selected.t, shown)}%` }} />
        )}
        {drag !== undefined && (
          <div
            className="wire-drag"
            style={{ left: `${Math.min(...drag)}%`, width: `${Math.abs(drag[1] - drag[0])}%` }}
          />
        )}
      </div>
    </section>
  );
}

const TRACK = 18;

interface SpanBarProps {
  readonly span: Span;
  readonly shown: TimeRange;
  readonly wire: WireSnapshot;
  readonly onSelect: (row: WireRow) => void;
}

function SpanBar({ span, shown, wire, onSelect }: SpanBarProps) {
  const [left, right] = placeOf(span, shown, wire.duration);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list of spans has the same by keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of spans has the same by keyboard
    <div
      className="wire-span"
      data-kind={span.kind}
      data-outcome={span.outcome}
      title={spanText(span, wire.duration)}
      style={{ left: `${left}%`, width: `${right - left}%` }}
      onClick={() => onSelect(span.row)}
    >
      <span>{span.name}</span>
    </div>
  );
}

interface TicksProps {
  readonly rows: readonly WireRow[];
  readonly version: number;
  readonly from: 'host' | 'cli';
  readonly since: number;
  readonly until: number;
}

/** A stroke for each line in one direction, drawn as one path. */
const Ticks = memo(function Ticks({ rows, from, since, until }: TicksProps) {
  const places = new Set<number>();
  for (const { t, from: sender } of rows) {
    if (sender === from && t >= since && t <= until)
      places.add(Math.round(percent(t, { since, until }) * 10));
  }
  const path = [...places].map((place) => `M${place} 0V10`).join('');
  return (
    <svg
      className="wire-ticks"
      data-from={from}
      viewBox="0 0 1000 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

function Axis({ shown }: { readonly shown: TimeRange }) {
  return (
    <div className="wire-axis" aria-hidden="true">
      {ticksIn(shown).map((t) => (
        <span key={t} data-last={percent(t, shown) > 88} style={{ left: `${percent(t, shown)}%` }}>
          {tickText(t, shown)}
        </span>
      ))}
    </div>
  );
}

/** A span in words. */
function spanText({ name, kind, start, end, word }: Span, now: number): string {
  const took = end === undefined ? `${duration(now - start)} so far` : duration(end - start);
  return `${kind}: ${name.slice(0, 120)} (${took}${word === undefined ? '' : `, ${word}`})`;
}

function inSight(track: readonly Span[], shown: TimeRange): readonly Span[] {
  const near = track.filter(
    ({ start, end = Number.POSITIVE_INFINITY }) => end >= shown.since && start <= shown.until,
  );
  return thinOut(near, (span) => placeOf(span, shown, shown.until));
}

function placeOf({ start, end }: Span, shown: TimeRange, now: number): readonly [number, number] {
  return [percent(start, shown), percent(end ?? now, shown)];
}

function isIn(t: number, { since, until }: TimeRange): boolean {
  return t >= since && t <= until;
}

function timelineText({ spans, rows }: WireSnapshot, { since, until }: TimeRange): string {
  const turns = spans.filter(({ kind }) => kind === 'turn').length;
  return `${counted(rows.length, 'line')} and ${counted(turns, 'turn')} from ${duration(since)} to ${duration(until)}; the tab Spans lists what took time.`;
}

/** The range being dragged, in percent, and its event handlers. */
function useDrag(shown: TimeRange, onRange: (range: TimeRange | undefined) => void) {
  const [drag, setDrag] = useState<readonly [number, number] | undefined>(undefined);
  const from = useRef<number | undefined>(undefined);
  const at = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(100, Math.max(0, ((clientX - left) / width) * 100));
  };
  const toTime = (place: number) => shown.since + ((shown.until - shown.since) * place) / 100;
  return {
    drag,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0 && event.pointerType !== 'touch') from.current = at(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current === undefined) return;
      const place = at(event);
      // A press that hardly moves is a click on a span.
      if (drag === undefined && Math.abs(place - from.current) < 1) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag([from.current, place]);
    },
    onPointerUp: () => {
      if (drag !== undefined) {
        const [one, two] = drag.map(toTime).sort((a, b) => a - b);
        if (one !== undefined && two !== undefined) onRange({ since: one, until: two });
      }
      from.current = undefined;
      setDrag(undefined);
    },
    onPointerCancel: () => {
      from.current = undefined;
      setDrag(undefined);
    },
    onDoubleClick: () => onRange(undefined),
  };
}
