import type { CliFrame, HostFrame } from '../../protocol/catalog/frame-types.js';
import { classify, isObject, type WireObject } from '../../protocol/frames.js';
import type { Sender, TraceEntry } from '../format.js';
import type { PlacedEntry } from '../read/read-trace.js';
import { labelFrame } from './label.js';

/** A line of one side with its name. */
export interface FrameNoteOf<From extends Sender, Decoded> {
  /** The line of the file. */
  readonly at: number;
  /** The time, in milliseconds since the start. */
  readonly t: number;
  /** Who sent it. */
  readonly from: From;
  /** A short description of the frame. */
  readonly label: string;
  /** The subtype of the request, or of the request that it answers. */
  readonly subtype: string | undefined;
  /** The decoded object, typed by the catalog; undefined for noise. */
  readonly frame: Decoded | undefined;
  /** The line. */
  readonly line: string;
}

/** A line on the wire with its name; `from` narrows the type of its frame. */
export type FrameNote = FrameNoteOf<'cli', CliFrame> | FrameNoteOf<'host', HostFrame>;

/** The type of the frame is assumed from the catalog; nothing is checked. */
function frameNote(note: FrameNoteOf<Sender, WireObject>): FrameNote {
  return note as FrameNote;
}

/** Names lines in order; it remembers requests, so that answers are named after their request. */
export class FrameNamer {
  readonly #asked: Readonly<Record<Sender, Map<string, string>>> = { host: new Map(), cli: new Map() };

  /** Names one entry; undefined if it is not a line on the wire. */
  note({ at, entry }: PlacedEntry): FrameNote | undefined {
    if (entry.kind !== 'line') return undefined;
    const { t, from, frame, line } = entry;
    if (frame === undefined) return { at, t, from, label: 'noise', subtype: undefined, frame, line };
    const subtype = this.#subtype(frame, from);
    return frameNote({ at, t, from, label: labelFrame(frame, subtype), subtype, frame, line });
  }

  #subtype(frame: WireObject, from: Sender): string | undefined {
    const sorted = classify(frame);
    if (sorted.kind === 'request') {
      this.#remember(this.#asked[from], sorted.id, sorted.body.subtype);
      return sorted.body.subtype;
    }
    if (sorted.kind !== 'success' && sorted.kind !== 'refusal' && sorted.kind !== 'cancel') {
      return typeof frame.subtype === 'string' ? frame.subtype : undefined;
    }
    const asker = sorted.kind === 'cancel' ? from : other(from);
    return this.#asked[asker].get(sorted.id);
  }

  #remember(requests: Map<string, string>, id: string, subtype: string): void {
    requests.set(id, subtype);
    const [oldest] = requests.keys();
    if (requests.size > REMEMBERED && oldest !== undefined) requests.delete(oldest);
  }
}

/** How many requests of each side are remembered; CLIs may answer one twice, so an answer does not remove it. */
const REMEMBERED = 10_000;

/** Names all lines of a recording. */
export function noteFrames(entries: readonly PlacedEntry[]): readonly FrameNote[] {
  const namer = new FrameNamer();
  return entries.flatMap((placed) => namer.note(placed) ?? []);
}

/** Joins the pieces of a model's text: how it was split differs from run to run. */
export function joinDeltas(notes: readonly FrameNote[]): readonly FrameNote[] {
  const joined: FrameNote[] = [];
  for (const note of notes) {
    const before = joined.at(-1);
    const frame = before === undefined ? undefined : joinedFrame(before, note);
    if (before === undefined || frame === undefined) joined.push(note);
    else joined[joined.length - 1] = frameNote({ ...before, frame });
  }
  return joined;
}

/** The other end of the wire. */
export function other(from: Sender): Sender {
  return from === 'host' ? 'cli' : 'host';
}

/** The time of an entry, if it has one. */
export function timeOf(entry: TraceEntry): number | undefined {
  return 't' in entry ? entry.t : undefined;
}

const TEXT_KEYS = ['text', 'thinking', 'partial_json'] as const;

function joinedFrame(before: FrameNote, note: FrameNote): WireObject | undefined {
  const [one, two] = [deltaOf(before), deltaOf(note)];
  if (one === undefined || two === undefined || before.from !== note.from) return undefined;
  const key = TEXT_KEYS.find(
    (each) => typeof one.delta[each] === 'string' && typeof two.delta[each] === 'string',
  );
  if (key === undefined || one.event.index !== two.event.index) return undefined;
  const delta = { ...one.delta, [key]: `${one.delta[key]}${two.delta[key]}` };
  return { ...before.frame, event: { ...one.event, delta } };
}

function deltaOf({ frame }: FrameNote): { event: WireObject; delta: WireObject } | undefined {
  const event = frame?.type === 'stream_event' ? frame.event : undefined;
  if (!isObject(event) || event.type !== 'content_block_delta' || !isObject(event.delta)) return undefined;
  return { event, delta: event.delta };
}
