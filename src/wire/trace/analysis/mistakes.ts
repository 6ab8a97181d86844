import { findCliRequest, findHostRequest } from '../../protocol/catalog/catalog.js';
import { classify, type WireObject } from '../../protocol/frames.js';
import type { Sender, TraceEntry } from '../format.js';
import { type FrameNote, other } from './frame-notes.js';

/** A problem in a recorded session, or something worth checking. */
export interface Finding {
  /** The line of the file. */
  readonly at: number;
  /** An error breaks the protocol; a warning is not in the catalog yet, or harmless. */
  readonly severity: 'error' | 'warning';
  /** A machine-readable code: `unanswered`, `bare-envelope`, `missing`, `unknown-key` … */
  readonly problem: string;
  /** A short description of the frame. */
  readonly label: string;
  /** What is wrong. */
  readonly message: string;
}

/** The options of a {@link MistakeFinder}. */
export interface MistakeOptions {
  /** Whether it sees the session from its start; otherwise the request of an answer may be missing. */
  readonly fromStart?: boolean | undefined;
}

/** Finds mistakes in the order of requests and answers, and lines that are not frames; it needs no schemas. */
export class MistakeFinder {
  readonly #open: OpenRequests;

  constructor({ fromStart = true }: MistakeOptions = {}) {
    this.#open = new OpenRequests(fromStart);
  }

  /** Checks the next entry; `note` is its name if it is a line on the wire. */
  *take(at: number, entry: TraceEntry, note: FrameNote | undefined): Generator<Finding> {
    if (isIncomplete(at, entry)) this.#open.miss();
    const finding = entryFinding(at, entry);
    if (finding !== undefined) yield finding;
    if (note?.frame === undefined) return;
    yield* this.#open.take(note, note.frame);
    yield* bareEnvelope(note, note.frame);
  }

  /** Reports what is still open at the end. */
  *finish(): Generator<Finding> {
    yield* this.#open.unanswered();
  }
}

/** Whether lines are missing from the recording: requests and answers may be among them. */
function isIncomplete(at: number, entry: TraceEntry): boolean {
  if (entry.kind === 'header') return at === 1 && entry.part !== undefined;
  return entry.kind === 'gap' || entry.kind === 'full';
}

function entryFinding(at: number, entry: TraceEntry): Finding | undefined {
  const found = (severity: Finding['severity'], problem: string, message: string): Finding => ({
    at,
    severity,
    problem,
    label: entry.kind,
    message,
  });
  switch (entry.kind) {
    case 'broken':
      return entry.cut
        ? found('warning', 'cut', 'The file ends in the middle of a line: its writer was stopped.')
        : found('error', 'broken-line', `This line of the file cannot be read: ${entry.problem}.`);
    case 'gap':
      return found(
        'warning',
        'gap',
        `${entry.lines} lines are missing: the disk was too slow, or they were too long.`,
      );
    case 'line':
      return entry.frame === undefined && entry.from === 'host'
        ? found('error', 'noise', 'The host sent a line that is not a JSON object.')
        : entry.frame === undefined
          ? found('warning', 'noise', 'The CLI sent a line that is not a JSON object.')
          : undefined;
    default:
      return undefined;
  }
}

/** A request sent as a message, without its envelope: CLIs ignore it silently. */
function* bareEnvelope(note: FrameNote, frame: WireObject): Generator<Finding> {
  if (note.from !== 'host' || ['control_request', 'control_response', 'user'].includes(String(frame.type)))
    return;
  const name = [frame.subtype, frame.type].find(
    (each) => typeof each === 'string' && findHostRequest(each) !== undefined,
  );
  if (name === undefined) return;
  const { at, label } = note;
  const message = `"${name}" was sent without its envelope, and CLIs ignore that: send {"type":"control_request","request_id":…,"request":{"subtype":"${name}"}}.`;
  yield { at, severity: 'error', problem: 'bare-envelope', label, message };
}

/** How many answered requests are remembered, to tell a second answer from one without a request. */
const REMEMBERED = 10_000;

/** The open requests of both sides. */
class OpenRequests {
  readonly #open: Readonly<Record<Sender, Map<string, FrameNote>>> = { host: new Map(), cli: new Map() };
  readonly #closed = new Set<string>();
  #fromStart: boolean;

  constructor(fromStart: boolean) {
    this.#fromStart = fromStart;
  }

  *take(note: FrameNote, frame: WireObject): Generator<Finding> {
    const sorted = classify(frame);
    const { from, at, label } = note;
    if (sorted.kind === 'request') this.#open[from].set(sorted.id, note);
    if (sorted.kind === 'cancel') this.#close(from, sorted.id);
    if (sorted.kind !== 'success' && sorted.kind !== 'refusal') return;
    const asker = other(from);
    if (this.#open[asker].has(sorted.id)) {
      this.#close(asker, sorted.id);
      return;
    }
    // With --replay-user-messages, CLIs repeat the host's answers to their own requests.
    if (from === 'cli' && this.#closed.has(`cli ${sorted.id}`)) return;
    if (this.#closed.has(`${asker} ${sorted.id}`)) {
      const message = `${sorted.id} was answered before.`;
      yield { at, severity: 'warning', problem: 'answered-twice', label, message };
    } else if (this.#fromStart) {
      yield {
        at,
        severity: 'error',
        problem: 'answer-to-nobody',
        label,
        message: `Nobody asked ${sorted.id}.`,
      };
    }
  }

  /** Lines are missing, so nobody knows what was asked and answered in them. */
  miss(): void {
    this.#fromStart = false;
    this.#open.host.clear();
    this.#open.cli.clear();
  }

  *unanswered(): Generator<Finding> {
    for (const from of ['host', 'cli'] as const) {
      for (const [id, { at, label, subtype = '' }] of this.#open[from]) {
        if (from === 'cli' && findCliRequest(subtype)?.answer === 'never') continue;
        yield { at, severity: 'error', problem: 'unanswered', label, message: `${id} was never answered.` };
      }
    }
  }

  #close(asker: Sender, id: string): void {
    this.#open[asker].delete(id);
    this.#closed.add(`${asker} ${id}`);
    const [oldest] = this.#closed;
    if (this.#closed.size > REMEMBERED && oldest !== undefined) this.#closed.delete(oldest);
  }
}
