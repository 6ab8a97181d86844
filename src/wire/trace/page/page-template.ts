import { readFile } from 'node:fs/promises';
import { builtFile } from '../../package/built-file.js';
import { CoxswainError } from '../../util/errors.js';

/** The page without a recording, split where the recording goes. */
export interface PageTemplate {
  readonly before: string;
  readonly after: string;
}

const MARK = '<!--recording-->';

/** Reads the page that was built from console-ui. */
export async function readPageTemplate(path?: string | URL): Promise<PageTemplate> {
  const text = await readPage(path).catch((cause: unknown) => {
    throw new CoxswainError(
      'TRACE_PAGE_MISSING',
      'The page that shows recordings is missing: the package was not built ("npm run build"), or it was bundled.',
      { cause },
    );
  });
  const at = text.indexOf(MARK);
  return { before: text.slice(0, at), after: text.slice(at + MARK.length) };
}

async function readPage(path: string | URL = builtFile('pages/recording.html')): Promise<string> {
  return readFile(path, 'utf8');
}

/** A data block in the page that no text inside it can close. */
export function dataBlock(id: string, text: string): string {
  return `<script type="application/x-ndjson" id="${id}">${escapeData(text)}</script>\n`;
}

/** Escapes JSON for a page: "<" occurs only inside its strings. */
export function escapeData(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
