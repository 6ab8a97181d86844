import type { Sender } from '../format.js';
import { readTrace, type TraceSource } from '../read/read-trace.js';
import { encodeEntry, encodeHeader, encodeLines, linePrefix } from '../record/encode-entry.js';
import { FrameNamer, type FrameNote } from './frame-notes.js';
import { requestIdOf } from './label.js';

/** Selects lines of a recording; all given fields must match. */
export interface TraceFilter {
  /** Who sent it. */
  readonly from?: Sender | undefined;
  /** The `type` of a frame; `noise` for lines that are not frames. */
  readonly type?: string | undefined;
  /** The subtype of a message, of a request, or of the request that a frame answers. */
  readonly subtype?: string | undefined;
  /** The id of its request. */
  readonly requestId?: string | undefined;
  /** Milliseconds since the start. */
  readonly since?: number | undefined;
  /** The end, in milliseconds since the start. */
  readonly until?: number | undefined;
  /** A part of the raw line, or a pattern in it. */
  readonly text?: string | RegExp | undefined;
}

/** Returns the matching lines of a recording; streamed. */
export async function* filterTrace(
  source: TraceSource,
  filter: TraceFilter = {},
): AsyncGenerator<FrameNote, void, undefined> {
  const namer = new FrameNamer();
  for await (const placed of readTrace(source)) {
    const note = namer.note(placed);
    if (note !== undefined && fits(note, filter)) yield note;
  }
}

/** Writes a recording with only the matching lines and all other entries, entry by entry. */
export async function* traceCut(
  source: TraceSource,
  filter: TraceFilter = {},
): AsyncGenerator<string, void, undefined> {
  const namer = new FrameNamer();
  for await (const placed of readTrace(source)) {
    const { entry } = placed;
    const note = namer.note(placed);
    if (entry.kind === 'header') yield encodeHeader(entry);
    else if (entry.kind === 'line') {
      const isWanted = note !== undefined && fits(note, filter);
      if (isWanted) yield encodeLines(linePrefix(entry.t, entry.from), [entry.line]);
    } else if (entry.kind !== 'unknown' && entry.kind !== 'broken') yield encodeEntry(entry);
  }
}

/** Whether a line matches. */
export function fits(note: FrameNote, filter: TraceFilter): boolean {
  const { from, type, subtype, requestId, since = 0, until = Number.POSITIVE_INFINITY } = filter;
  if (note.t < since || note.t > until) return false;
  if (from !== undefined && note.from !== from) return false;
  if (subtype !== undefined && note.subtype !== subtype) return false;
  if (type !== undefined && typeOf(note) !== type) return false;
  if (requestId !== undefined && (note.frame === undefined || requestIdOf(note.frame) !== requestId))
    return false;
  return hasText(note.line, filter.text);
}

function typeOf({ frame }: FrameNote): string {
  return frame === undefined ? 'noise' : String(frame.type);
}

function hasText(line: string, text: string | RegExp | undefined): boolean {
  if (text === undefined) return true;
  return typeof text === 'string' ? line.includes(text) : line.search(text) >= 0;
}
