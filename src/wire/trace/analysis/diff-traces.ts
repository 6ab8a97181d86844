import type { Sender } from '../format.js';
import { loadTrace, type PlacedEntry, type TraceSource } from '../read/read-trace.js';
import { align } from './align.js';
import { type Difference, findDifferences } from './differences.js';
import { fits, type TraceFilter } from './filter.js';
import { type FrameNote, joinDeltas, noteFrames } from './frame-notes.js';
import { type NormaliseOptions, normalise, pathsFor } from './normalise.js';

/** A frame that is in only one of two recordings, or differs between them. */
export interface FrameChange {
  /** The kind of change. */
  readonly change: 'removed' | 'added' | 'changed';
  /** Who sent it. */
  readonly from: Sender;
  /** A short description of the frame. */
  readonly label: string;
  /** Its line in the first recording. */
  readonly left: number | undefined;
  /** Its line in the second recording. */
  readonly right: number | undefined;
  /** The differences; empty for a frame without a counterpart. */
  readonly differences: readonly Difference[];
}

/**
 * Compares two recordings, or their matching lines. Ignores ids, uuids, times, folders, durations, costs and token
 * counts.
 */
export async function diffTraces(
  left: TraceSource,
  right: TraceSource,
  filter: TraceFilter = {},
): Promise<readonly FrameChange[]> {
  const side = async (source: TraceSource): Promise<DiffSide> => {
    const entries = await loadTrace(source);
    return { notes: noteFrames(entries).filter((note) => fits(note, filter)), paths: pathsOf(entries) };
  };
  return diffFrames(...(await Promise.all([side(left), side(right)])));
}

/** One side of a comparison. */
export interface DiffSide {
  readonly notes: readonly FrameNote[];
  readonly paths: NormaliseOptions['paths'];
}

/** Compares the frames of two runs. */
export function diffFrames(left: DiffSide, right: DiffSide): readonly FrameChange[] {
  const pairs = align(
    joinDeltas(left.notes),
    joinDeltas(right.notes),
    ({ from, label }) => `${from} ${label}`,
  );
  return pairs.flatMap((pair) => {
    const note = pair.left ?? pair.right;
    if (note === undefined) return [];
    const found =
      pair.left === undefined || pair.right === undefined ? [] : compare(pair.left, left, pair.right, right);
    if (pair.left !== undefined && pair.right !== undefined && found.length === 0) return [];
    const change = pair.left === undefined ? 'added' : pair.right === undefined ? 'removed' : 'changed';
    const { from, label } = note;
    return [{ change, from, label, left: pair.left?.at, right: pair.right?.at, differences: found }];
  });
}

function compare(one: FrameNote, left: DiffSide, two: FrameNote, right: DiffSide): readonly Difference[] {
  return findDifferences(
    normalise(one.frame ?? one.line, { paths: left.paths, measures: true }),
    normalise(two.frame ?? two.line, { paths: right.paths, measures: true }),
  );
}

function pathsOf(entries: readonly PlacedEntry[]): NormaliseOptions['paths'] {
  const header = entries[0]?.entry;
  return pathsFor(header?.kind === 'header' ? header.cwd : undefined);
}
