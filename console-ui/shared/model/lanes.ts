import type { Span, SpanKind } from './spans.js';

/** A lane of the timeline: spans of one kind, stacked where they overlap. */
export interface Lane {
  readonly kind: SpanKind;
  readonly title: string;
  readonly tracks: readonly (readonly Span[])[];
}

const LANES: readonly (readonly [SpanKind, string])[] = [
  ['turn', 'Turns'],
  ['tool', 'Tools'],
  ['prompt', 'Prompts'],
  ['callback', 'Callbacks'],
  ['request', 'Requests'],
];

/** The maximum number of stacked tracks: the last one takes the rest. */
const MOST_TRACKS = 4;

/** Sorts spans into lanes; empty lanes are left out. */
export function makeLanes(spans: readonly Span[]): readonly Lane[] {
  return LANES.flatMap(([kind, title]) => {
    const own = spans.filter((span) => span.kind === kind);
    return own.length === 0 ? [] : [{ kind, title, tracks: stack(own) }];
  });
}

/** Spans are ordered by start, so each goes to the first free track. */
function stack(spans: readonly Span[]): readonly (readonly Span[])[] {
  const tracks: Span[][] = [];
  for (const span of spans) {
    const free = tracks.findIndex((track) => (track.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= span.start);
    const index = free === -1 ? Math.min(tracks.length, MOST_TRACKS - 1) : free;
    const track = tracks[index];
    if (track === undefined) tracks.push([span]);
    else track.push(span);
  }
  return tracks;
}
