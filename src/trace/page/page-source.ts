import { fits, type TraceFilter } from '../look/filter.js';
import { FrameNamer, type FrameNote } from '../look/frame-notes.js';
import type { Finding } from '../look/mistakes.js';
import { loadFrameCheck } from '../look/validate-trace.js';
import type { PlacedEntry } from '../read/read-trace.js';
import { encodePageEntry, encodePageFinding } from './page-lines.js';

/** A recording with more findings has one fault many times. */
const MOST_FINDINGS = 1_000;

/** Makes lines for the page of entries as they come, each followed by what the schemas have to say of it. */
export class PageWriter {
  readonly #check: (note: FrameNote) => readonly Finding[];
  readonly #namer = new FrameNamer();
  #found = 0;

  private constructor(check: (note: FrameNote) => readonly Finding[]) {
    this.#check = check;
  }

  /** Loads the schemas, which takes a moment. */
  static async make(): Promise<PageWriter> {
    return new PageWriter(await loadFrameCheck());
  }

  /** The lines for one entry; none for one that is not wanted. */
  lines(placed: PlacedEntry, filter: TraceFilter = {}): readonly string[] {
    const note = this.#namer.note(placed);
    if (note !== undefined && !fits(note, filter)) return [];
    const findings = note === undefined || this.#found >= MOST_FINDINGS ? [] : this.#check(note);
    this.#found += findings.length;
    return [encodePageEntry(placed), ...findings.map(encodePageFinding)];
  }
}

/** The lines of a page for entries that fit; streamed. */
export async function* pageLines(
  entries: AsyncIterable<PlacedEntry>,
  filter: TraceFilter = {},
): AsyncGenerator<string, void, undefined> {
  const writer = await PageWriter.make();
  for await (const placed of entries) yield* writer.lines(placed, filter);
}
