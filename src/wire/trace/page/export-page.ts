import type { TraceFilter } from '../analysis/filter.js';
import { readTrace, type TraceSource } from '../read/read-trace.js';
import { pageTooLarge } from '../read/trace-errors.js';
import type { PageHead } from './page-lines.js';
import { PageWriter } from './page-source.js';
import { dataBlock, escapeData, readPageTemplate } from './page-template.js';

/** The options of {@link tracePage}. */
export interface TracePageOptions {
  /** The title of the page. */
  readonly name?: string | undefined;
  /** Which lines to include. Default: all. */
  readonly filter?: TraceFilter | undefined;
  /** How many bytes of a recording go into one page. Default: 32 MiB; a browser needs several times that. */
  readonly maxBytes?: number | undefined;
}

const MOST_BYTES = 32 * 1024 * 1024;
/** How much is returned at once. */
const PIECE = 64 * 1024;

/**
 * Writes a self-contained HTML page that shows a recording: it works from a file, offline, and sends nothing. The page
 * is generated in pieces to save memory. @throws CoxswainError `TRACE_TOO_LARGE` for more than `maxBytes`.
 */
export async function* tracePage(
  source: TraceSource,
  options: TracePageOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { filter = {}, maxBytes = MOST_BYTES, name = nameOf(source) } = options;
  const { before, after } = await readPageTemplate();
  const head: PageHead = { name };
  yield before + dataBlock('recording-head', JSON.stringify(head));
  yield '<script type="application/x-ndjson" id="recording">\n';
  let [size, piece] = [0, ''];
  for await (const line of pageLines(source, filter)) {
    piece += `${escapeData(line)}\n`;
    if (size + piece.length > maxBytes) throw pageTooLarge(name, maxBytes);
    if (piece.length < PIECE) continue;
    size += piece.length;
    yield piece;
    piece = '';
  }
  yield piece;
  yield `</script>\n${after}`;
}

async function* pageLines(source: TraceSource, filter: TraceFilter): AsyncGenerator<string, void, undefined> {
  const writer = await PageWriter.make({ filter });
  for await (const placed of readTrace(source)) yield* writer.lines(placed);
  yield* writer.rest();
}

function nameOf(source: TraceSource): string {
  return typeof source === 'string' ? (source.split(/[\\/]/).at(-1) ?? source) : 'Recording';
}
