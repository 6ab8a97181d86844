import { isObject, type WireObject } from '../../protocol/frames.js';
import { costSince } from '../../protocol/reading/read-result.js';
import type { RecordedEnd, Sender, TraceEntry, TraceHeader } from '../format.js';
import { readTrace, type TraceSource } from '../read/read-trace.js';
import { fits, type TraceFilter } from './filter.js';
import { FrameNamer, type FrameNote, timeOf } from './frame-notes.js';

/** A summary of a recording. */
export interface TraceInfo {
  /** The first entry. */
  readonly header: TraceHeader;
  /** The version of the CLI. */
  readonly cliVersion: string | undefined;
  /** The id of the session. */
  readonly sessionId: string | undefined;
  /** The duration, in milliseconds. */
  readonly durationMs: number;
  /** The number of lines from each side. */
  readonly lines: Readonly<Record<Sender, number>>;
  /** The number of frames of each kind, by `sender label`. */
  readonly frames: Readonly<Record<string, number>>;
  /** The number of turns. */
  readonly turns: number;
  /** The cost of its turns, as the CLI estimates it. */
  readonly costUsd: number | undefined;
  /** The used tokens. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** The number of lines that are not protocol. */
  readonly noise: number;
  /** The number of unreadable entries. */
  readonly broken: number;
  /** The number of missing lines. */
  readonly lost: number;
  /** How the CLI ended; undefined if the recording breaks off. */
  readonly end: RecordedEnd | undefined;
  /** Problems of the file itself, as sentences. */
  readonly remarks: readonly string[];
}

/** Summarises a recording, or its matching lines; streamed. */
export async function traceInfo(source: TraceSource, filter: TraceFilter = {}): Promise<TraceInfo> {
  const counter = new Counter();
  for await (const placed of readTrace(source)) {
    const note = counter.namer.note(placed);
    if (note === undefined || fits(note, filter)) counter.take(placed.entry, note);
  }
  return counter.info();
}

class Counter {
  readonly namer = new FrameNamer();
  readonly #remarks = new Set<string>();
  readonly #frames = new Map<string, number>();
  readonly #lines = { host: 0, cli: 0 };
  readonly #tokens = { input: 0, output: 0 };
  #header: TraceHeader | undefined;
  #cliVersion: string | undefined;
  #sessionId: string | undefined;
  #durationMs = 0;
  #turns = 0;
  #costUsd: number | undefined;
  /** The CLI's total at its last result. */
  #totalUsd = 0;
  #noise = 0;
  #broken = 0;
  #lost = 0;
  #end: RecordedEnd | undefined;

  take(entry: TraceEntry, note: FrameNote | undefined): void {
    this.#durationMs = Math.max(this.#durationMs, timeOf(entry) ?? 0);
    if (note !== undefined) this.#takeLine(note);
    else this.#takeOther(entry);
  }

  info(): TraceInfo {
    if (this.#header === undefined)
      throw new Error('A recording without a header is refused before it is counted.');
    if (this.#end === undefined) this.#remarks.add('Incomplete: the end of the session was not recorded.');
    return {
      header: this.#header,
      cliVersion: this.#cliVersion,
      sessionId: this.#sessionId,
      durationMs: this.#durationMs,
      lines: this.#lines,
      frames: Object.fromEntries([...this.#frames].sort(([, one], [, two]) => two - one)),
      turns: this.#turns,
      costUsd: this.#costUsd,
      tokens: this.#tokens,
      noise: this.#noise,
      broken: this.#broken,
      lost: this.#lost,
      end: this.#end,
      remarks: [...this.#remarks],
    };
  }

  #takeLine({ from, label, frame }: FrameNote): void {
    this.#lines[from] += 1;
    if (frame === undefined) this.#noise += 1;
    const name = `${from} ${label}`;
    this.#frames.set(name, (this.#frames.get(name) ?? 0) + 1);
    if (frame?.type === 'result') this.#takeResult(frame);
  }

  #takeResult(result: WireObject): void {
    const { total_cost_usd: total, usage } = result;
    this.#turns += 1;
    if (typeof total === 'number') {
      this.#costUsd = (this.#costUsd ?? 0) + costSince(result, this.#totalUsd);
      this.#totalUsd = total;
    }
    if (!isObject(usage)) return;
    this.#tokens.input += Number(usage.input_tokens ?? 0);
    this.#tokens.output += Number(usage.output_tokens ?? 0);
  }

  #takeOther(entry: TraceEntry): void {
    if (entry.kind === 'header') this.#header ??= entry;
    if (entry.kind === 'facts') this.#cliVersion ??= entry.cliVersion;
    if (entry.kind === 'facts') this.#sessionId ??= entry.sessionId;
    if (entry.kind === 'end') this.#end = entry.end;
    if (entry.kind === 'gap') this.#lost += entry.lines;
    if (entry.kind === 'gap')
      this.#remarks.add('Lines are missing: the disk was too slow, or they were too long.');
    if (entry.kind === 'full') this.#remarks.add(`It reached its limit of ${entry.limit} bytes.`);
    if (entry.kind === 'broken') this.#takeBroken(entry.cut);
  }

  #takeBroken(cut: boolean): void {
    this.#broken += 1;
    this.#remarks.add(
      cut ? 'The last line is incomplete: the writer was stopped.' : 'Some lines cannot be read.',
    );
  }
}
