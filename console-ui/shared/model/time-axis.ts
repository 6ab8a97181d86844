import { duration } from '../../../src/wire/util/numbers.js';

/** The time of a row since the start, in seconds. */
export function clockText(t: number): string {
  return `${(t / 1000).toFixed(3)}s`;
}

/** How long an answer took; short times get an extra digit, because most are short. */
export function latencyText(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : duration(ms);
}

/** A range of a recording's time, in milliseconds. */
export interface TimeRange {
  readonly since: number;
  readonly until: number;
}

/** Round moments inside a range, about `wanted` of them. */
export function ticksIn({ since, until }: TimeRange, wanted = 6): readonly number[] {
  const step = roundStep((until - since) / wanted);
  const first = Math.ceil(since / step);
  const count = Math.floor(until / step) - first + 1;
  return Array.from(
    { length: Math.max(0, Math.min(count, wanted * 3)) },
    (_, index) => (first + index) * step,
  );
}

/** A moment as an axis label. */
export function tickText(t: number, { since, until }: TimeRange): string {
  if (until - since < 2_000) return `${Math.round(t)} ms`;
  if (until < 120_000) return `${Number((t / 1000).toFixed(1))} s`;
  const seconds = Math.round(t / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The position of a moment in a range, from 0 to 100. */
export function percent(t: number, { since, until }: TimeRange): number {
  return Math.min(100, Math.max(0, ((t - since) / Math.max(1, until - since)) * 100));
}

/** Leaves out anything that would be drawn in the same place as its predecessor. */
export function thinOut<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => readonly [number, number],
  resolution = 0.1,
): readonly Item[] {
  let drawnTo = Number.NEGATIVE_INFINITY;
  return items.filter((item) => {
    const [start, end] = placeOf(item);
    if (Math.max(end, start + resolution) <= drawnTo + resolution / 2) return false;
    drawnTo = Math.max(end, start + resolution);
    return true;
  });
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.001)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}
