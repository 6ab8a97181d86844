import { type Clock, systemClock } from '../../util/clock.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { errorText } from '../../util/error-text.js';
import { quiet } from '../../util/listeners.js';
import type { Sender } from '../format.js';
import { type RedactOptions, Redactor } from '../redact/redactor.js';
import type { Rule } from '../redact/rules.js';
import { hasPieces, type RecordedEntry, type RecordedLine, StreamedText } from '../redact/streamed-text.js';
import { encodeEntry, encodeFlood, encodeLines, linePrefix } from './encode-entry.js';
import { isStream, StreamSink } from './stream-sink.js';
import { TraceFile, type TraceFileOptions } from './trace-file.js';
import { type RecordTarget, UserSink } from './trace-sink.js';

/** Options for recording a session. */
export interface RecordOptions extends Omit<TraceFileOptions, 'onDiagnostic' | 'clock' | 'beforeExit'> {
  /** A path, a Node stream, or your own sink. */
  readonly to: RecordTarget;
  /** What to redact. Default: the usual secrets; your own rules are added. `false` redacts nothing. */
  readonly redact?: false | RedactOptions | undefined;
}

/** The dependencies of a writer. */
export interface WriterParts {
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
}

/** The lines of a larger batch are not parsed just to check whether they are JSON: they arrive too fast. */
const CAREFUL_LINES = 8;

/** Redacts and encodes the entries of a recording, and passes them to a file or sink. Never throws and never waits. */
export class RecordingWriter {
  readonly #sink: TraceFile | StreamSink | UserSink;
  readonly #redactor: Redactor | undefined;
  readonly #streamed: StreamedText | undefined;
  readonly #onDiagnostic: OnDiagnostic;
  #time = 0;
  #lost = 0;
  #toldGap = false;
  #failed = false;

  constructor(options: RecordOptions, { clock = systemClock, onDiagnostic }: WriterParts) {
    const { to, redact = {}, ...fileOptions } = options;
    this.#onDiagnostic = quiet(onDiagnostic);
    const beforeExit = () => this.settle();
    this.#sink = this.#sinkFor(to, { ...fileOptions, onDiagnostic, clock, beforeExit });
    try {
      this.#redactor = redact === false ? undefined : new Redactor(redact);
      this.#streamed = this.#redactor && new StreamedText(this.#redactor);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The file that is written, if it is one. */
  get path(): string | undefined {
    return this.#sink instanceof TraceFile ? this.#sink.path : undefined;
  }

  /** Writes an entry. Entries are few and a recording makes no sense without them, so they are never dropped. */
  entry(t: number, text: string, lasting: boolean): void {
    const streamed = this.#streamed;
    const entry = { t, entry: text, lasting };
    if (streamed === undefined || !streamed.isHolding) {
      this.#entry(entry);
      return;
    }
    this.#guard(() => streamed.takeEntry(entry));
    this.#writeReady(streamed);
  }

  /** Writes several wire lines given as one text, with their number. */
  lines(t: number, from: Sender, text: string, count: number): void {
    const streamed = this.#streamed;
    if (streamed === undefined || (streamed.isIdle && !hasPieces(text))) {
      this.#lines(t, from, text, count);
      return;
    }
    this.#guard(() => {
      for (const line of text.split('\n')) streamed.take({ t, from, line });
    });
    this.#writeReady(streamed);
  }

  /** Writes what was held back: nothing follows that could complete a secret. */
  settle(): void {
    if (this.#streamed === undefined || this.#streamed.isIdle) return;
    const streamed = this.#streamed;
    this.#guard(() => streamed.settle());
    this.#writeReady(streamed);
  }

  /** The user's rules may throw. */
  #guard(run: () => void): void {
    if (this.#failed) return;
    try {
      run();
    } catch (error) {
      this.#fail(error);
    }
  }

  #writeReady(streamed: StreamedText): void {
    for (const each of together(streamed.ready())) {
      if ('entry' in each) this.#entry(each);
      else this.#lines(each.t, each.from, each.lines.join('\n'), each.lines.length);
    }
  }

  #entry({ t, entry, lasting }: RecordedEntry): void {
    this.#put(
      { t, lines: 1 },
      (gap) => this.#sink.insist(gap, false),
      () => this.#sink.insist(this.#redactor?.clean(entry) ?? entry, lasting),
    );
  }

  #lines(t: number, from: Sender, text: string, count: number): void {
    this.#put(
      { t, lines: count },
      (gap) => this.#sink.write(gap),
      () => this.#sink.write(this.#encode(linePrefix(t, from), text, count)),
    );
  }

  /** Resolves when everything is written, or the disk took too long. Never rejects. */
  async close(): Promise<void> {
    this.settle();
    try {
      if (this.#lost > 0 && !this.#failed) await this.#writeLastGap();
      await this.#sink.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  #sinkFor(to: RecordTarget, options: TraceFileOptions): TraceFile | StreamSink | UserSink {
    if (typeof to === 'string') return new TraceFile(to, options);
    const parts = { ...options, onFailure: (error: unknown) => this.#fail(error) };
    return isStream(to) ? new StreamSink(to, parts) : new UserSink(to, parts);
  }

  async #writeLastGap(): Promise<void> {
    await this.#sink.flush();
    this.#sink.insist(gapEntry(this.#time, this.#lost), false);
    this.#lost = 0;
  }

  #encode(prefix: string, text: string, count: number): string {
    const rules = this.#redactor?.rulesFor(text) ?? [];
    const isFlood = rules.length === 0 && count > CAREFUL_LINES;
    const flood = isFlood ? encodeFlood(prefix, text, count) : undefined;
    return flood ?? encodeLines(prefix, cleaned(text.split('\n'), rules));
  }

  /** Writes something, after a pending gap. The user's sinks and rules may throw. */
  #put(
    { t, lines }: { readonly t: number; readonly lines: number },
    writeGap: (gap: string) => unknown,
    write: () => unknown,
  ): void {
    if (this.#failed) return;
    this.#time = t;
    try {
      if (this.#lost > 0 && writeGap(gapEntry(t, this.#lost)) !== false) this.#lost = 0;
      if (this.#lost > 0 || write() === false) this.#leaveOut(lines);
    } catch (error) {
      this.#fail(error);
    }
  }

  #leaveOut(lines: number): void {
    this.#lost += lines;
    if (this.#toldGap) return;
    this.#toldGap = true;
    const message = 'Lines were left out of the recording: the disk is too slow.';
    this.#onDiagnostic({ code: 'RECORDING_GAP', message, path: this.path });
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const message = `The recording was stopped: its writer failed (${errorText(error)}).`;
    const { path } = this;
    const whose = path === undefined ? { callback: 'record', cause: error } : {};
    this.#onDiagnostic({ code: 'RECORDING_FAILED', message, path, ...whose });
  }
}

interface LinesAtOnce {
  readonly t: number;
  readonly from: Sender;
  readonly lines: string[];
}

/** Joins neighbouring lines of the same side and time. */
function together(
  items: readonly (RecordedLine | RecordedEntry)[],
): readonly (LinesAtOnce | RecordedEntry)[] {
  const groups: (LinesAtOnce | RecordedEntry)[] = [];
  for (const each of items) {
    const last = groups.at(-1);
    if ('entry' in each) groups.push(each);
    else if (last !== undefined && 'lines' in last && last.t === each.t && last.from === each.from)
      last.lines.push(each.line);
    else groups.push({ t: each.t, from: each.from, lines: [each.line] });
  }
  return groups;
}

function gapEntry(t: number, lines: number): string {
  return encodeEntry({ kind: 'gap', t, lines });
}

function cleaned(lines: readonly string[], rules: readonly Rule[]): readonly string[] {
  return lines.map((line) => rules.reduce((text, { apply }) => apply(text), line));
}
