import { fits, type TraceFilter } from '../look/filter.js';
import { FrameNamer } from '../look/frame-notes.js';
import { readTrace, type TraceSource } from '../read/read-trace.js';
import { encodeEntry, encodeHeader, encodeLines, linePrefix } from './encode-entry.js';

/** Writes a recording of the lines that fit, with all else that is known; entry by entry. */
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
      const wanted = note !== undefined && fits(note, filter);
      if (wanted) yield encodeLines(linePrefix(entry.t, entry.from), [entry.line]);
    } else if (entry.kind !== 'unknown' && entry.kind !== 'broken') yield encodeEntry(entry);
  }
}
