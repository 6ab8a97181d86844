import type { WireObject } from '../../../src/wire/protocol/frames.js';
import type { FrameNote } from '../../../src/wire/trace/analysis/frame-notes.js';
import { requestIdOf, summariseFrame } from '../../../src/wire/trace/analysis/label.js';
import type { RecordedEnd, Sender, TraceEntry } from '../../../src/wire/trace/format.js';

/** An entry with its position: a line of a recording, or the event number in a live session. */
export interface WireEntry {
  readonly at: number;
  readonly entry: TraceEntry;
}

/** One row of the list: a wire line, or a note from the recorder. */
export interface WireRow {
  /** Its position among the rows held. */
  readonly index: number;
  /** Its line in the file, or the number of its event. */
  readonly at: number;
  /** Milliseconds since the start. */
  readonly t: number;
  /** Undefined for a note from the recorder. */
  readonly from: Sender | undefined;
  readonly label: string;
  /** The frame's type, `noise` for anything else, or the kind of a note. */
  readonly type: string;
  readonly subtype: string | undefined;
  readonly requestId: string | undefined;
  readonly entry: TraceEntry;
}

/** Creates a row from an entry; `note` is its name unless it is a wire line. */
export function makeRow({ at, entry }: WireEntry, index: number, t: number, note?: FrameNote): WireRow {
  if (entry.kind !== 'line') {
    const [label, from] = labelNote(entry);
    return { index, at, t, from, label, type: entry.kind, subtype: undefined, requestId: undefined, entry };
  }
  const { frame, from } = entry;
  return {
    index,
    at,
    t,
    from,
    label: note?.label ?? 'noise',
    type: frame === undefined ? 'noise' : String(frame.type ?? '(no type)'),
    subtype: note?.subtype,
    requestId: frame === undefined ? undefined : requestIdOf(frame),
    entry,
  };
}

/** The frame of a row; undefined for noise and notes. */
export function frameOf({ entry }: WireRow): WireObject | undefined {
  return entry.kind === 'line' ? entry.frame : undefined;
}

/** The raw text of a row. */
export function rowText({ entry }: WireRow): string {
  if (entry.kind === 'line') return entry.line;
  return entry.kind === 'broken' ? entry.text : JSON.stringify(entry);
}

/** How much of a summary is visible at all. */
const LONGEST = 400;

/** The content of a row, on one line. */
export function summaryOf(row: WireRow): string {
  const { entry } = row;
  const frame = entry.kind === 'line' ? entry.frame : undefined;
  const text = frame === undefined ? noteText(row) : summariseFrame(frame) || plainFields(frame);
  return text.slice(0, LONGEST).replaceAll(/\s+/g, ' ').trim();
}

/** Keys that are the same in every frame, or mean nothing to people. */
const USUAL = new Set(['type', 'subtype', 'uuid', 'session_id', 'parent_tool_use_id', 'request_id']);

/** The numbers and short words of a frame without text. */
function plainFields(frame: WireObject): string {
  return Object.entries(frame)
    .filter(([key, value]) => !USUAL.has(key) && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

/** How a CLI ended, in words. */
export function endText(end: RecordedEnd): string {
  if (end.reason === 'closed') return 'closed by the host';
  if (end.reason === 'failed') return `failed: ${end.error}`;
  return end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`;
}

function labelNote(entry: Exclude<TraceEntry, { kind: 'line' }>): readonly [string, Sender | undefined] {
  if (entry.kind === 'eof') return ['end of input', entry.from];
  if (entry.kind === 'signal') return [`signal ${entry.signal}`, 'host'];
  if (entry.kind === 'broken') return [entry.cut ? 'cut off' : 'unreadable line', undefined];
  return [NOTE_LABELS[entry.kind], undefined];
}

const NOTE_LABELS = {
  header: 'start of the recording',
  facts: 'learned',
  gap: 'gap',
  full: 'file full',
  end: 'end of the CLI',
  unknown: 'unknown entry',
} as const;

function noteText({ entry }: WireRow): string {
  switch (entry.kind) {
    case 'line':
      return entry.line;
    case 'header':
      return entry.argv.join(' ');
    case 'facts':
      return [entry.cliVersion && `CLI ${entry.cliVersion}`, entry.sessionId && `session ${entry.sessionId}`]
        .filter(Boolean)
        .join(', ');
    case 'gap':
      return `${entry.lines} lines are missing: the disk was too slow, or they were too long`;
    case 'full':
      return `the recording reached its limit of ${entry.limit} bytes`;
    case 'end':
      return endText(entry.end);
    case 'broken':
      return entry.text;
    case 'unknown':
      return JSON.stringify(entry.entry);
    default:
      return '';
  }
}
