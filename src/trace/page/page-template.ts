import { readFile } from 'node:fs/promises';
import { CoxswainError } from '../../util/errors.js';

/** The page without a recording, cut at the place where one goes. */
export interface PageTemplate {
  readonly before: string;
  readonly after: string;
}

const MARK = '<!--recording-->';
/** The same file whether this module was built or is read from its source. */
const PATH = new URL('../../../dist/trace/page/recording.html', import.meta.url);

/** Reads the page that was built from console-ui. */
export async function readPageTemplate(path: string | URL = PATH): Promise<PageTemplate> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CoxswainError('TRACE_PAGE_MISSING', 'The recording page was not built: run "npm run build".', {
      cause,
    });
  });
  const at = text.indexOf(MARK);
  return { before: text.slice(0, at), after: text.slice(at + MARK.length) };
}

/** A block of data in the page: no text in it can end it, or be taken for anything but data. */
export function dataBlock(id: string, text: string): string {
  return `<script type="application/x-ndjson" id="${id}">${escapeData(text)}</script>\n`;
}

/** Writes JSON so that it can stand in a page: "<" is only ever inside its texts. */
export function escapeData(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
