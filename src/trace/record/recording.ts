import { decodeLine } from '../../protocol/frames.js';
import type { End } from '../../transport/transport.js';
import { type Clock, systemClock } from '../../util/clock.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { quiet } from '../../util/quiet.js';
import { within } from '../../util/within.js';
import type { Sender, TraceFacts } from '../format.js';
import { type RedactOptions, Redactor } from '../redact/redactor.js';
import type { Rule } from '../redact/rule.js';
import {
  encodeEntry,
  encodeHeader,
  encodeLines,
  isObjectLine,
  linePrefix,
  looksLikeObject,
  type PlainEntry,
  recordedEnd,
} from './encode-entry.js';
import { maskArguments } from './mask-arguments.js';
import { CLOSE_WAIT_MS, type TraceFileOptions, traceFile } from './trace-file.js';
import type { TraceSink } from './trace-sink.js';

/** How a session is recorded. */
export interface RecordOptions extends Omit<TraceFileOptions, 'onDiagnostic' | 'clock'> {
  /** A path, or a writer of one's own. */
  readonly to: string | TraceSink;
  /** What is taken out: the usual secrets unless said, with rules of one's own beside them; `false` for nothing. */
  readonly redact?: false | RedactOptions | undefined;
}

/** What is known when a recording begins. */
export interface RecordingFacts {
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
}

/** What a recording needs from outside. */
export interface RecordingParts {
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
  readonly now?: (() => Date) | undefined;
  readonly platform?: string | undefined;
  readonly arch?: string | undefined;
}

/** Begins a recording: writes its header, and then whatever it is told. It never throws and never waits. */
export function startRecording(
  options: string | TraceSink | RecordOptions,
  facts: RecordingFacts = {},
  parts: RecordingParts = {},
): Recording {
  return new Recording(asOptions(options), facts, parts);
}

/** In a batch of more lines than this they are not parsed only to see whether they are JSON: they come too fast. */
const CAREFUL_LINES = 8;

/** Writes down one life of a CLI. */
export class Recording {
  readonly #sink: TraceSink;
  readonly #owned: boolean;
  readonly #redactor: Redactor | undefined;
  readonly #clock: Clock;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #began: number;
  readonly #path: string | undefined;
  #sessionKnown = false;
  readonly #closeWaitMs: number;
  #lost = 0;
  #over = false;
  #closing: Promise<void> | undefined;

  constructor(options: RecordOptions, facts: RecordingFacts, parts: RecordingParts) {
    const { to, redact = {}, ...fileOptions } = options;
    const { clock = systemClock, onDiagnostic } = parts;
    this.#owned = typeof to === 'string';
    this.#path = typeof to === 'string' ? to : undefined;
    this.#sink = typeof to === 'string' ? traceFile(to, { ...fileOptions, onDiagnostic, clock }) : to;
    this.#closeWaitMs = fileOptions.closeWaitMs ?? CLOSE_WAIT_MS;
    this.#redactor = redact === false ? undefined : new Redactor(redact);
    this.#clock = clock;
    this.#onDiagnostic = quiet(onDiagnostic);
    this.#began = clock.now();
    this.#begin(facts, parts);
  }

  /** Lines that one side sent. */
  lines(from: Sender, lines: readonly string[]): void {
    if (this.#over || lines.length === 0) return;
    if (!this.#sessionKnown && from === 'cli') this.#learn(lines);
    const prefix = linePrefix(this.#now(), from);
    const isObject = lines.length > CAREFUL_LINES ? looksLikeObject : isObjectLine;
    const text = encodeLines(prefix, lines, isObject);
    const rules = this.#redactor?.rulesFor(text) ?? [];
    const clean = rules.length === 0 ? text : encodeLines(prefix, cleaned(lines, rules), isObjectLine);
    this.#write(clean, { lines: lines.length });
  }

  /** A line that was too long to be kept. */
  skip(length: number): void {
    if (this.#over) return;
    this.#entry({ kind: 'gap', t: this.#now(), lines: 1 });
    const message = `A line of ${length} characters is left out of the recording: it is too long.`;
    this.#onDiagnostic({ code: 'RECORDING_GAP', message, path: this.#path });
  }

  /** What was learned later than the header was written. */
  facts(facts: Omit<TraceFacts, 'kind' | 't'>): void {
    this.#entry({ kind: 'facts', t: this.#now(), ...facts }, true);
  }

  /** One side sends no more. */
  eof(from: Sender): void {
    this.#entry({ kind: 'eof', t: this.#now(), from });
  }

  /** A signal went to the CLI. */
  signal(signal: string): void {
    this.#entry({ kind: 'signal', t: this.#now(), signal });
  }

  /** The last word of a recording. */
  end(end: End): void {
    this.#entry({ kind: 'end', t: this.#now(), end: recordedEnd(end) });
    this.#over = true;
  }

  /** Resolves when the disk has it all, or has taken too long. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#over = true;
    try {
      await (this.#owned ? this.#sink.close?.() : this.#flushInTime());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A file of ours minds its own time; somebody else's writer may never be done. */
  async #flushInTime(): Promise<void> {
    const flushed = (async () => this.#sink.flush?.())();
    if (await within(flushed, this.#closeWaitMs, this.#clock)) return flushed;
    throw new Error(`it was not done within ${this.#closeWaitMs} ms`);
  }

  #begin(facts: RecordingFacts, { now = () => new Date(), platform, arch }: RecordingParts): void {
    const { argv = [], cwd } = facts;
    const header = encodeHeader({
      startedAt: now().toISOString(),
      argv: this.#redactor === undefined ? argv : maskArguments(argv),
      ...(cwd === undefined ? {} : { cwd }),
      platform: platform ?? process.platform,
      arch: arch ?? process.arch,
      writer: 'coxswain',
      redacted: this.#redactor !== undefined,
    });
    this.#write(this.#clean(header), { lasting: true });
  }

  #entry(entry: PlainEntry, lasting = false): void {
    if (this.#over) return;
    this.#write(this.#clean(encodeEntry(entry)), { lasting });
  }

  #clean(text: string): string {
    return this.#redactor?.clean(text) ?? text;
  }

  #write(text: string, { lasting = false, lines = 1 } = {}): void {
    try {
      if (this.#lost > 0 && this.#sink.write(this.#gap()) !== false) this.#lost = 0;
      if (this.#lost > 0 || this.#sink.write(text, lasting) === false) this.#lose(lines);
    } catch (error) {
      this.#fail(error);
    }
  }

  #gap(): string {
    return encodeEntry({ kind: 'gap', t: this.#now(), lines: this.#lost });
  }

  #lose(lines: number): void {
    this.#lost += lines;
    if (this.#lost > lines) return;
    const message = 'Lines are left out of the recording: more waits for the disk than may wait.';
    this.#onDiagnostic({ code: 'RECORDING_GAP', message, path: this.#path });
  }

  #fail(error: unknown): void {
    this.#over = true;
    const why = error instanceof Error ? error.message : String(error);
    const message = `The recording was given up: its writer failed (${why}).`;
    this.#onDiagnostic({ code: 'RECORDING_FAILED', message, path: this.#path });
  }

  /** The CLI names itself in its first `system/init`. */
  #learn(lines: readonly string[]): void {
    const line = lines.find((each) => each.includes('"subtype":"init"'));
    const frame = line === undefined ? undefined : decodeLine(line);
    if (frame?.kind !== 'message' || typeof frame.message.session_id !== 'string') return;
    this.#sessionKnown = true;
    const { session_id: sessionId, claude_code_version: version } = frame.message;
    this.facts({ sessionId, ...(typeof version === 'string' ? { cliVersion: version } : {}) });
  }

  #now(): number {
    return Math.round((this.#clock.now() - this.#began) * 10) / 10;
  }
}

/** A rule of the user's own may break what was an object, so every line is looked at again afterwards. */
function cleaned(lines: readonly string[], rules: readonly Rule[]): readonly string[] {
  return lines.map((line) => rules.reduce((text, { apply }) => apply(text), line));
}

function asOptions(options: string | TraceSink | RecordOptions): RecordOptions {
  if (typeof options === 'string') return { to: options };
  return 'to' in options ? options : { to: options };
}
