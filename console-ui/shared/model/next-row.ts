import type { WireSnapshot } from './wire-log.js';
import type { WireRow } from './wire-row.js';

/** The row of the next mistake after a row; wraps around. */
export function nextMistake(
  { rows, findingsAt }: WireSnapshot,
  from: WireRow | undefined,
): WireRow | undefined {
  const marked = rows.filter(({ at }) => findingsAt.has(at));
  return after(marked, from);
}

/** The row of the next turn after a row; wraps around. */
export function nextTurn({ spans }: WireSnapshot, from: WireRow | undefined): WireRow | undefined {
  const turns = spans.filter(({ kind }) => kind === 'turn').map(({ row }) => row);
  return after(turns, from);
}

function after(rows: readonly WireRow[], from: WireRow | undefined): WireRow | undefined {
  return rows.find(({ index }) => from === undefined || index > from.index) ?? rows[0];
}

/** The row at a line; rows are ordered by line, and not every line has one. */
export function rowAt({ rows }: WireSnapshot, at: number): WireRow | undefined {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row === undefined || row.at === at) return row;
    if (row.at < at) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
