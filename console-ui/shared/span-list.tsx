import { useMemo, useState } from 'react';
import type { Span, SpanKind } from './model/spans.js';
import { clockText, latencyText } from './model/time-axis.js';
import type { WireSnapshot } from './model/wire-log.js';
import type { WireRow } from './model/wire-row.js';

const KINDS: Readonly<Record<SpanKind, string>> = {
  turn: 'turns',
  tool: 'tool calls',
  prompt: 'prompts',
  callback: 'callbacks',
  request: 'requests',
};

/** The maximum number listed at once. */
const MOST = 500;

/** What took time, in order or longest first. */
export function SpanList({
  wire,
  onSelect,
}: {
  readonly wire: WireSnapshot;
  readonly onSelect: (row: WireRow) => void;
}) {
  const [kind, setKind] = useState<SpanKind | 'all'>('all');
  const [byTime, setByTime] = useState(false);
  const { spans, version, duration: now } = wire;
  // biome-ignore lint/correctness/useExhaustiveDependencies: spans change in place, with the version
  const listed = useMemo(() => {
    const wanted = spans.filter((span) => kind === 'all' || span.kind === kind);
    return byTime ? wanted.toSorted((one, two) => took(two, now) - took(one, now)) : wanted;
  }, [spans, version, kind, byTime]);
  if (spans.length === 0) return <p className="wire-empty">No spans yet.</p>;
  return (
    <div className="wire-spans">
      <div className="wire-actions">
        <label>
          Show{' '}
          <select value={kind} onChange={({ target }) => setKind(target.value as SpanKind | 'all')}>
            <option value="all">everything</option>
            {Object.entries(KINDS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input type="checkbox" checked={byTime} onChange={({ target }) => setByTime(target.checked)} />{' '}
          longest first
        </label>
      </div>
      <ol className="wire-span-list">
        {listed.slice(0, MOST).map((span) => (
          <li key={`${span.row.index} ${span.kind} ${span.name}`} data-kind={span.kind}>
            <button type="button" onClick={() => onSelect(span.row)}>
              <span className="wire-time">{clockText(span.start)}</span>
              <span className="wire-span-kind">{span.kind}</span>
              <span className="wire-span-name">{span.name}</span>
              <span className="wire-latency" data-how={span.outcome === 'failed' ? 'refusal' : 'success'}>
                {span.word !== undefined && `${span.word} `}
                {span.outcome === 'open' ? 'open' : latencyText(took(span, now))}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {listed.length > MOST && <p className="wire-empty">{listed.length - MOST} more are not listed.</p>}
    </div>
  );
}

function took({ start, end }: Span, now: number): number {
  return (end ?? now) - start;
}
