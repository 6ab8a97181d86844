import { isObject } from '../../protocol/frames.js';
import type { TransportEnd } from '../../transport/transport.js';
import {
  type RecordedEnd,
  type Sender,
  TRACE_VERSION,
  type TraceBroken,
  type TraceEntry,
  type TraceHeader,
  type TraceLine,
  type TraceUnknown,
} from '../format.js';

/** An entry that is written as a whole; lines have a faster path. */
export type PlainEntry = Exclude<TraceEntry, TraceHeader | TraceLine | TraceUnknown | TraceBroken>;

/** Writes a header as a line of the file. */
export function encodeHeader(header: Omit<TraceHeader, 'kind'>): string {
  return encode({ kind: 'header', ...header });
}

/** Adds the part number to the header at the start of a text. */
export function asPart(text: string, part: number): string {
  return text.replace(/\}\n/, () => `,"part":${part}}\n`);
}

/** Writes any entry except a line. */
export function encodeEntry(entry: PlainEntry): string {
  return encode(entry);
}

/** The prefix of every line from this side at this time. */
export function linePrefix(t: number, from: Sender): string {
  return `{"v":${TRACE_VERSION},"kind":"line","t":${t},"from":"${from}",`;
}

/** Writes wire lines after their prefix: objects unchanged, noise as a JSON string. */
export function encodeLines(prefix: string, lines: readonly string[]): string {
  return lines
    .map((line) =>
      isObjectLine(line) ? `${prefix}"frame":${line}}\n` : `${prefix}"text":${JSON.stringify(line)}}\n`,
    )
    .join('');
}

/**
 * Writes many lines that arrive as one text, without examining each. Undefined unless every line begins and ends like an
 * object.
 */
export function encodeFlood(prefix: string, text: string, count: number): string | undefined {
  if (!looksLikeObject(text)) return undefined;
  const open = `${prefix}"frame":`;
  const seam = `}}\n${open}{"`;
  const encoded = text.replaceAll(SEAM, seam);
  // Every seam adds the same length: if the sum is smaller, some line begins or ends differently.
  const wanted = text.length + (count - 1) * (seam.length - SEAM.length);
  return encoded.length === wanted ? `${open}${encoded}}\n` : undefined;
}

const SEAM = '}\n{"';

/** The part of an end that can be written to a file. */
export function recordedEnd(end: TransportEnd): RecordedEnd {
  return end.reason === 'failed' ? { reason: 'failed', error: end.error.message } : end;
}

function encode(entry: object): string {
  return `${JSON.stringify({ v: TRACE_VERSION, ...entry })}\n`;
}

/** Whether a line is a JSON object. */
function isObjectLine(line: string): boolean {
  if (!looksLikeObject(line)) return false;
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

const [OPENING, QUOTE, CLOSING] = [123, 34, 125];

/** Whether a text begins and ends like an object: a cheap first check. */
function looksLikeObject(text: string): boolean {
  return (
    text.charCodeAt(0) === OPENING &&
    text.charCodeAt(1) === QUOTE &&
    text.charCodeAt(text.length - 1) === CLOSING
  );
}
