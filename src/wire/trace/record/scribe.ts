import { type Clock, systemClock } from '../../util/clock.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { errorText } from '../../util/error-text.js';
import { quiet } from '../../util/quiet.js';
import type { Sender } from '../format.js';
import { type RedactOptions, Redactor } from '../redact/redactor.js';
import type { Rule } from '../redact/rule.js';
import { encodeEntry, encodeFlood, encodeLines, linePrefix } from './encode-entry.js';
import { GivenSink } from './given-sink.js';
import { TraceFile, type TraceFileOptions } from './trace-file.js';
import type { TraceSink } from './trace-sink.js';

/** Writes down what a recording is told, in this thread or in another one. It never throws and never waits. */
export interface Scribe {
  /** An entry as a line of the file; a lasting one begins every further part. */
  entry(t: number, text: string, lasting: boolean): void;
  /** Lines of the wire, in one piece, and how many they are. */
  lines(t: number, from: Sender, text: string, count: number): void;
  /** Lines were lost on the way here: a gap stands for them. */
  lose(count: number): void;
  /** Resolves when the disk has it all, or has taken too long. Never rejects. */
  close(): Promise<void>;
}

/** How things are written down. */
export interface ScribeOptions extends Omit<TraceFileOptions, 'onDiagnostic' | 'clock'> {
  /** A path, or a writer of one's own. */
  readonly to: string | TraceSink;
  /** What is taken out: the usual secrets unless said, with rules of one's own beside them; `false` for nothing. */
  readonly redact?: false | RedactOptions | undefined;
}

/** What a scribe needs from outside. */
export interface ScribeParts {
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
}

/** In a batch of more lines than this they are not parsed only to see whether they are JSON: they come too fast. */
const CAREFUL_LINES = 8;

/** How something is written, and the gap before it if there is one; `false` says that it was not taken. */
interface Put {
  readonly tell: (gap: string) => unknown;
  readonly write: () => unknown;
}

/** A scribe that does the work itself: takes secrets out, encodes, and hands it to the file or writer. */
export class OwnScribe implements Scribe {
  readonly #sink: TraceFile | GivenSink;
  readonly #path: string | undefined;
  readonly #redactor: Redactor | undefined;
  readonly #onDiagnostic: OnDiagnostic;
  #time = 0;
  #lost = 0;
  #toldGap = false;
  #failed = false;

  constructor(options: ScribeOptions, { clock = systemClock, onDiagnostic }: ScribeParts) {
    const { to, redact = {}, ...fileOptions } = options;
    this.#path = typeof to === 'string' ? to : undefined;
    this.#sink =
      typeof to === 'string'
        ? new TraceFile(to, { ...fileOptions, onDiagnostic, clock })
        : new GivenSink(to, (error) => this.#fail(error), { ...fileOptions, clock });
    this.#redactor = redact === false ? undefined : new Redactor(redact);
    this.#onDiagnostic = quiet(onDiagnostic);
  }

  /** Entries are few and short, and a recording is not understood without them: they never have to wait for room. */
  entry(t: number, text: string, lasting: boolean): void {
    this.#put(t, 1, {
      tell: (lost) => this.#sink.insist(lost, false),
      write: () => this.#sink.insist(this.#redactor?.clean(text) ?? text, lasting),
    });
  }

  lines(t: number, from: Sender, text: string, count: number): void {
    this.#put(t, count, {
      tell: (lost) => this.#sink.write(lost, false),
      write: () => this.#sink.writePieces(...this.#encode(linePrefix(t, from), text, count)),
    });
  }

  lose(count: number): void {
    this.#lost += count;
  }

  async close(): Promise<void> {
    try {
      if (this.#lost > 0 && !this.#failed) await this.#tellLoss();
      await this.#sink.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nothing comes behind the last gap that would tell of it. */
  async #tellLoss(): Promise<void> {
    await this.#sink.flush();
    this.#sink.insist(gap(this.#time, this.#lost), false);
    this.#lost = 0;
  }

  #encode(prefix: string, text: string, count: number): readonly string[] {
    const rules = this.#redactor?.rulesFor(text) ?? [];
    const isFlood = rules.length === 0 && count > CAREFUL_LINES;
    const flood = isFlood ? encodeFlood(prefix, text, count) : undefined;
    return flood ?? [encodeLines(prefix, cleaned(text.split('\n'), rules))];
  }

  /** A writer of the user's own may throw, and so may a rule. */
  #put(t: number, lines: number, { tell, write }: Put): void {
    if (this.#failed) return;
    this.#time = t;
    try {
      if (this.#lost > 0 && tell(gap(t, this.#lost)) !== false) this.#lost = 0;
      if (this.#lost > 0 || write() === false) this.#leaveOut(lines);
    } catch (error) {
      this.#fail(error);
    }
  }

  #leaveOut(lines: number): void {
    if (!this.#toldGap) reportGap(this.#onDiagnostic, this.#path);
    this.#toldGap = true;
    this.#lost += lines;
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    reportFailure(this.#onDiagnostic, error, this.#path);
  }
}

/** Tells that lines are left out from here on. */
export function reportGap(onDiagnostic: OnDiagnostic, path: string | undefined): void {
  const message = 'Lines are left out of the recording: more waits for the disk than may wait.';
  onDiagnostic({ code: 'RECORDING_GAP', message, path });
}

/** Tells that there is no recording any more. */
export function reportFailure(onDiagnostic: OnDiagnostic, error: unknown, path: string | undefined): void {
  const message = `The recording was given up: its writer failed (${errorText(error)}).`;
  onDiagnostic({ code: 'RECORDING_FAILED', message, path });
}

function gap(t: number, lines: number): string {
  return encodeEntry({ kind: 'gap', t, lines });
}

function cleaned(lines: readonly string[], rules: readonly Rule[]): readonly string[] {
  return lines.map((line) => rules.reduce((text, { apply }) => apply(text), line));
}
