import type { Finding } from '../analysis/mistakes.js';
import type { TraceEntry } from '../format.js';
import type { PlacedEntry } from '../read/read-trace.js';

/** What the page needs first. */
export interface PageHead {
  /** The name of the file. */
  readonly name: string;
  /** Whether the page is served and fetches the recording; otherwise the page contains it. */
  readonly served?: boolean | undefined;
  /** Whether it is still being written. */
  readonly follow?: boolean | undefined;
}

/** A line that the page reads: an entry with its position, or a finding of the schema check. */
export type PageLine = readonly [at: number, entry: TraceEntry] | { readonly finding: Finding };

/** Writes an entry as a line for the page. The wire text is inserted unchanged. */
export function encodePageEntry({ at, entry }: PlacedEntry): string {
  if (entry.kind !== 'line') return `[${at},${JSON.stringify(entry)}]`;
  const { t, from, line, frame } = entry;
  const value = frame === undefined ? `"line":${JSON.stringify(line)}` : `"frame":${line}`;
  return `[${at},{"kind":"line","t":${t},"from":"${from}",${value}}]`;
}

/** Writes a finding as a line for the page. */
export function encodePageFinding(finding: Finding): string {
  return JSON.stringify({ finding });
}

/** Reads a line that {@link encodePageEntry} or {@link encodePageFinding} wrote. */
export function decodePageLine(text: string): PageLine {
  const line: PageLine = JSON.parse(text);
  if ('finding' in line) return line;
  const [at, entry] = line;
  // The wire text was not sent twice.
  if (entry.kind !== 'line' || entry.frame === undefined) return line;
  return [at, { ...entry, line: text.slice(text.indexOf('"frame":') + '"frame":'.length, -2) }];
}
