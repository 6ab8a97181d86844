import type { Finding } from '../../src/wire/trace/analysis/mistakes.js';
import { decodePageLine, type PageHead } from '../../src/wire/trace/page/page-lines.js';
import type { WireLog } from '../shared/model/wire-log.js';
import type { WireEntry } from '../shared/model/wire-row.js';

/** Information about the page's recording. */
export function readHead(): PageHead {
  const text = document.getElementById('recording-head')?.textContent ?? '';
  return text === '' ? { name: 'No recording' } : JSON.parse(text);
}

/** Adds the recording embedded in the page to a log. */
export function readEmbedded(log: WireLog): void {
  const text = document.getElementById('recording')?.textContent ?? '';
  // In a page, "<" is escaped, as JSON allows; lines are shown and searched in their original form.
  takeLines(log, text.replaceAll('\\u003c', '<'));
}

/** Adds lines in the page's own format to a log. */
export function takeLines(log: WireLog, text: string): void {
  const entries: WireEntry[] = [];
  const findings: Finding[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const decoded = decodePageLine(line);
    if ('finding' in decoded) findings.push(decoded.finding);
    else entries.push({ at: decoded[0], entry: decoded[1] });
  }
  log.append(entries);
  log.addFindings(findings);
}
