import { decodeLine } from '../../protocol/frames.js';
import type { TransportEnd } from '../../transport/transport.js';
import { type Clock, systemClock } from '../../util/clock.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { quiet } from '../../util/listeners.js';
import type { Sender, TraceFacts } from '../format.js';
import { encodeEntry, encodeHeader, type PlainEntry, recordedEnd } from './encode-entry.js';
import { RecordingWriter, type RecordOptions, type WriterParts } from './recording-writer.js';
import type { RecordTarget } from './trace-sink.js';

export type { RecordOptions } from './recording-writer.js';

/** Facts known when a recording starts. */
export interface RecordingFacts {
  /** The command line. */
  readonly argv?: readonly string[] | undefined;
  /** The working folder. */
  readonly cwd?: string | undefined;
}

/** The dependencies of a recording. */
export interface RecordingParts extends WriterParts {
  /** The time of day. */
  readonly now?: (() => Date) | undefined;
  /** The system. */
  readonly platform?: string | undefined;
  /** The processor. */
  readonly arch?: string | undefined;
}

/**
 * Starts a recording and writes its header. Never waits. @throws CoxswainError `OPTION_INVALID` for an impossible
 * number; nothing else.
 */
export function startRecording(
  options: RecordTarget | RecordOptions,
  facts: RecordingFacts = {},
  parts: RecordingParts = {},
): Recording {
  return new Recording(asOptions(options), facts, parts);
}

/** Records one run of a CLI, from its start to its end. */
export class Recording {
  readonly #writer: RecordingWriter;
  readonly #redacts: boolean;
  readonly #clock: Clock;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #began: number;
  #sessionKnown = false;
  #over = false;
  #closing: Promise<void> | undefined;

  constructor(options: RecordOptions, facts: RecordingFacts, parts: RecordingParts) {
    const { clock = systemClock, onDiagnostic } = parts;
    this.#writer = new RecordingWriter(options, parts);
    this.#redacts = options.redact !== false;
    this.#clock = clock;
    this.#onDiagnostic = quiet(onDiagnostic);
    this.#began = clock.now();
    this.#begin(facts, parts);
  }

  /** The file being written, if it is a file; may differ from the requested one. */
  get path(): string | undefined {
    return this.#writer.path;
  }

  /** Records lines from one side; `text` is the same as one string, if the caller has it. */
  lines(from: Sender, lines: readonly string[], text = lines.join('\n')): void {
    if (this.#over || lines.length === 0) return;
    if (!this.#sessionKnown && from === 'cli') this.#learn(lines);
    this.#writer.lines(this.#now(), from, text, lines.length);
  }

  /** A line that was too long to keep. */
  skip(length: number): void {
    if (this.#over) return;
    this.#entry({ kind: 'gap', t: this.#now(), lines: 1 });
    const message = `A line of ${length} characters was left out of the recording: it is too long.`;
    this.#onDiagnostic({ code: 'RECORDING_GAP', message, path: this.path });
  }

  /** Records facts learned after the header was written. */
  facts(facts: Omit<TraceFacts, 'kind' | 't'>): void {
    this.#entry({ kind: 'facts', t: this.#now(), ...facts }, true);
  }

  /** Records that one side sends nothing more. */
  eof(from: Sender): void {
    this.#entry({ kind: 'eof', t: this.#now(), from });
  }

  /** Records a signal to the CLI. */
  signal(signal: string): void {
    this.#entry({ kind: 'signal', t: this.#now(), signal });
  }

  /** The last entry of a recording. */
  end(end: TransportEnd): void {
    this.#entry({ kind: 'end', t: this.#now(), end: recordedEnd(end) });
    this.#writer.settle();
    this.#over = true;
  }

  /** Resolves when everything is written, or the disk took too long. Never rejects. */
  close(): Promise<void> {
    this.#over = true;
    this.#closing ??= this.#writer.close();
    return this.#closing;
  }

  #begin(facts: RecordingFacts, { now = () => new Date(), platform, arch }: RecordingParts): void {
    const { argv = [], cwd } = facts;
    const header = encodeHeader({
      startedAt: now().toISOString(),
      argv: this.#redacts ? maskArguments(argv) : argv,
      ...(cwd === undefined ? {} : { cwd }),
      platform: platform ?? process.platform,
      arch: arch ?? process.arch,
      writer: 'coxswain',
      redacted: this.#redacts,
    });
    this.#writer.entry(this.#now(), header, true);
  }

  #entry(entry: PlainEntry, lasting = false): void {
    if (this.#over) return;
    this.#writer.entry(this.#now(), encodeEntry(entry), lasting);
  }

  /** The CLI reports its version and session in its first `system/init`. */
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

/** The options of a recording that may be given as just a target. */
export function asOptions(options: RecordTarget | RecordOptions): RecordOptions {
  if (typeof options === 'string') return { to: options };
  return 'to' in options ? options : { to: options };
}

const SECRET_FLAG = /^--?[\w-]*(?:api-?key|token|password|secret)$/i;

/** Masks the word after a flag that takes a secret; the redactor handles all other words. */
function maskArguments(argv: readonly string[]): readonly string[] {
  return argv.map((word, index) => (SECRET_FLAG.test(argv[index - 1] ?? '') ? '<secret>' : word));
}
