import { fits, type TraceFilter } from '../analysis/filter.js';
import { FrameNamer, type FrameNote } from '../analysis/frame-notes.js';
import { type Finding, MistakeFinder } from '../analysis/mistakes.js';
import { loadFrameCheck } from '../analysis/validate-trace.js';
import type { PlacedEntry } from '../read/read-trace.js';
import { encodePageEntry, encodePageFinding } from './page-lines.js';

/** The options of a {@link PageWriter}. */
export interface PageWriterOptions {
  /** The lines to include. Default: all. */
  readonly filter?: TraceFilter | undefined;
  /** Whether the first entry is the first of the recording. */
  readonly fromStart?: boolean | undefined;
}

/** A recording with more findings than this repeats one fault many times. */
const MOST_FINDINGS = 1_000;

/** Turns entries into lines for the page as they arrive, each followed by what `validate` finds in it. */
export class PageWriter {
  readonly #check: (note: FrameNote) => readonly Finding[];
  readonly #filter: TraceFilter;
  readonly #mistakes: MistakeFinder;
  readonly #namer = new FrameNamer();
  /** The requests that are in the page: only those can lack an answer there. */
  readonly #requests = new Set<number>();
  #found = 0;

  private constructor(check: (note: FrameNote) => readonly Finding[], options: PageWriterOptions) {
    this.#check = check;
    this.#filter = options.filter ?? {};
    this.#mistakes = new MistakeFinder({ fromStart: options.fromStart });
  }

  /** Loads the schemas, which takes a moment. */
  static async make(options: PageWriterOptions = {}): Promise<PageWriter> {
    return new PageWriter(await loadFrameCheck(), options);
  }

  /** The lines for one entry; none if the filter excludes it. */
  lines(placed: PlacedEntry): readonly string[] {
    const { at, entry } = placed;
    const note = this.#namer.note(placed);
    // Checked even if the filter excludes it: another line may depend on it.
    const mistakes = [...this.#mistakes.take(at, entry, note)];
    if (note !== undefined && !fits(note, this.#filter)) return [];
    if (note?.frame?.type === 'control_request') this.#requests.add(at);
    const open = entry.kind === 'end' ? this.rest() : [];
    const issues = note === undefined || this.#found >= MOST_FINDINGS ? [] : this.#check(note);
    return [encodePageEntry(placed), ...this.#write([...mistakes, ...issues]), ...open];
  }

  /** What is still open after the last entry; each is reported once. */
  rest(): readonly string[] {
    const open = [...this.#mistakes.finish()].filter(({ at }) => this.#requests.delete(at));
    return this.#write(open);
  }

  #write(findings: readonly Finding[]): readonly string[] {
    const some = findings.slice(0, Math.max(0, MOST_FINDINGS - this.#found));
    this.#found += some.length;
    return some.map(encodePageFinding);
  }
}
