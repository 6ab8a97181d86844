import { isObject } from '../../protocol/frames.js';
import type { End } from '../../transport/transport.js';
import type {
  RecordedEnd,
  Sender,
  TraceBroken,
  TraceEntry,
  TraceHeader,
  TraceLine,
  TraceUnknown,
} from '../format.js';
import { TRACE_VERSION } from '../format.js';

/** An entry that is written whole; lines have a quicker way of their own. */
export type PlainEntry = Exclude<TraceEntry, TraceHeader | TraceLine | TraceUnknown | TraceBroken>;

/** Writes a header as a line of the file. */
export function encodeHeader(header: Omit<TraceHeader, 'kind'>): string {
  return encode({ kind: 'header', ...header });
}

/** Puts the number of a part into the header that a text begins with. */
export function asPart(text: string, part: number): string {
  return text.replace(/\}\n/, () => `,"part":${part}}\n`);
}

/** Writes any entry but a line of the wire. */
export function encodeEntry(entry: PlainEntry): string {
  return encode(entry);
}

/** What stands before every line that came at this time from this side. */
export function linePrefix(t: number, from: Sender): string {
  return `{"v":${TRACE_VERSION},"kind":"line","t":${t},"from":"${from}",`;
}

/** Writes lines of the wire behind their prefix: spliced in where they are objects, as texts where they are noise. */
export function encodeLines(
  prefix: string,
  lines: readonly string[],
  isObject: (line: string) => boolean,
): string {
  const open = `${prefix}"frame":`;
  if (!lines.every(isObject)) {
    return lines.map((line) => (isObject(line) ? `${open}${line}}\n` : noise(prefix, line))).join('');
  }
  // One join makes one flat text: adding up pieces would cost three times as much.
  const parts = [...lines];
  parts[0] = `${open}${parts[0] ?? ''}`;
  parts[parts.length - 1] += '}\n';
  return parts.join(`}\n${open}`);
}

/** What a file can keep of an end. */
export function recordedEnd(end: End): RecordedEnd {
  return end.reason === 'failed' ? { reason: 'failed', error: end.error.message } : end;
}

function noise(prefix: string, line: string): string {
  return `${prefix}"text":${JSON.stringify(line)}}\n`;
}

function encode(entry: object): string {
  return `${JSON.stringify({ v: TRACE_VERSION, ...entry })}\n`;
}

/** Whether a line is a JSON object. */
export function isObjectLine(line: string): boolean {
  if (!looksLikeObject(line)) return false;
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

const [OPENING, QUOTE, CLOSING] = [123, 34, 125];

/** Whether a line has the two ends of one, which costs next to nothing to find out. */
export function looksLikeObject(line: string): boolean {
  return (
    line.charCodeAt(0) === OPENING &&
    line.charCodeAt(1) === QUOTE &&
    line.charCodeAt(line.length - 1) === CLOSING
  );
}
