import { TRACE_VERSION } from '../../../wire/trace/format.js';
import type { LogEntry } from '../../conversation/events.js';

export type { LogEntry };

const PLAIN = `{"v":${TRACE_VERSION},`;
const STAMPED = new RegExp(`^\\{"v":${TRACE_VERSION},"n":(\\d{1,15}),"at":(\\d{1,15}),`);

/** Numbers a recording entry, given as a line of its file. */
export function stamp(line: string, n: number, at: number): LogEntry {
  return { n, at, rest: line.slice(PLAIN.length) };
}

/** The entry as a line of the log's file: a recording entry with two extra keys. */
export function fileLine({ n, at, rest }: LogEntry): string {
  return `${PLAIN}"n":${n},"at":${at},${rest}\n`;
}

/** Reads a line of the log's file; a line without a number (the header of a later file) is not an entry. */
export function readFileLine(line: string): LogEntry | undefined {
  const found = STAMPED.exec(line);
  if (found === null || !line.endsWith('}')) return undefined;
  return { n: Number(found[1]), at: Number(found[2]), rest: line.slice(found[0].length) };
}

/** The entry as the socket carries it. */
export function socketText(session: string, { n, at, rest }: LogEntry): string {
  return `{"type":"event","session":${JSON.stringify(session)},"n":${n},"at":${at},"event":{${rest}}`;
}

/** A recording line for one of our own events; recording readers skip unknown kinds. */
export function plainLine(event: object): string {
  return `${PLAIN}${JSON.stringify(event).slice(1)}`;
}

/** Whether a line of a recording is its header. */
export function isHeader(line: string): boolean {
  return line.startsWith(`${PLAIN}"kind":"header"`);
}

/** The event of an entry. */
export function eventOf({ rest }: LogEntry): unknown {
  return JSON.parse(`{${rest}`);
}
