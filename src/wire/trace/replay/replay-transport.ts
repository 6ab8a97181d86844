import { checkLine } from '../../transport/checked-line.js';
import { closedError } from '../../transport/line-writer.js';
import type { OnLines, Transport, TransportEnd } from '../../transport/transport.js';
import { type Clock, systemClock } from '../../util/clock.js';
import { deferred } from '../../util/deferred.js';
import { CoxswainError } from '../../util/errors.js';
import { pathsFor } from '../analysis/normalise.js';
import type { RecordedEnd, TraceEntry } from '../format.js';
import { loadTrace, type PlacedEntry, type TraceSource } from '../read/read-trace.js';
import { makeRedactor, type RedactOptions } from '../redact/redactor.js';
import { type ExpectedLine, ExpectedLines, labelOf, ReplayMismatchError } from './expected-lines.js';
import { IdMap } from './id-map.js';

/** The options of {@link replayTrace}. */
export interface ReplayOptions {
  /** `recorded` keeps the original timing, a number is a speed factor. Default: `instant`. */
  readonly speed?: 'instant' | 'recorded' | number | undefined;
  /** The program's current folder, if not this one; its paths count as the recorded ones. */
  readonly cwd?: string | undefined;
  /** How the host's lines are redacted before they are compared with a redacted recording. */
  readonly redact?: RedactOptions | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
}

/** A recording that replaces a CLI. */
export interface ReplayTransport extends Transport {
  /** The version of the recorded CLI, if known. */
  readonly version: string | undefined;
  /** Throws a {@link ReplayMismatchError} if the host did something other than what was recorded, or less. */
  assertFinished(): void;
}

/**
 * Replays the CLI's side of a recording: each line is delivered once the host has sent everything recorded before it.
 * The host must send what was recorded, except for ids, uuids, times and paths; any other difference ends the replay
 * with a diff.
 */
export async function replayTrace(
  source: TraceSource,
  options: ReplayOptions = {},
): Promise<ReplayTransport> {
  return new Replay(firstRun(await loadTrace(source)), options);
}

/** The entries of the first CLI in a file; a custom sink may hold several. */
export function firstRun(entries: readonly PlacedEntry[]): readonly PlacedEntry[] {
  const second = entries.findIndex(
    ({ entry }, index) => index > 0 && entry.kind === 'header' && entry.part === undefined,
  );
  return second === -1 ? entries : entries.slice(0, second);
}

class Replay implements ReplayTransport {
  readonly ended: Promise<TransportEnd>;
  readonly version: string | undefined;
  readonly #entries: readonly PlacedEntry[];
  readonly #hostLines = new Map<number, ExpectedLine>();
  readonly #expected: ExpectedLines;
  readonly #ids = new IdMap();
  readonly #clock: Clock;
  readonly #pace: number;
  readonly #end = deferred<TransportEnd>();
  #onLines: OnLines | undefined;
  #position = 0;
  #lastTime = 0;
  #cancelWait: (() => void) | undefined;
  #scheduled = false;
  #paused = false;
  #closing = false;
  #over = false;
  #mismatch: ReplayMismatchError | undefined;

  constructor(entries: readonly PlacedEntry[], options: ReplayOptions) {
    const { speed = 'instant', cwd = process.cwd(), redact = {}, clock = systemClock } = options;
    const header = entries[0]?.entry.kind === 'header' ? entries[0].entry : undefined;
    this.#entries = entries;
    for (const { at, entry } of entries) {
      if (entry.kind === 'line' && entry.from === 'host')
        this.#hostLines.set(at, { at, line: entry, met: false });
    }
    const redactor = header?.redacted === true ? makeRedactor(redact) : undefined;
    // Lines are compared after redaction, which may have changed how the folder is spelled.
    const spelled = redactor === undefined ? {} : { [redactor(cwd)]: '<cwd>' };
    this.#expected = new ExpectedLines([...this.#hostLines.values()], {
      ids: this.#ids,
      recordedPaths: pathsFor(header?.cwd),
      actualPaths: { ...spelled, ...pathsFor(cwd) },
      redact: redactor,
    });
    this.#pace = paceOf(speed);
    this.#clock = clock;
    this.version = entries.map(({ entry }) => versionIn(entry)).find((version) => version !== undefined);
    this.ended = this.#end.promise;
  }

  start(onLines: OnLines): void {
    this.#onLines = onLines;
    this.#schedule();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  async send(line: string): Promise<void> {
    checkLine(line);
    if (this.#mismatch !== undefined) throw this.#mismatch;
    if (this.#over) throw closedError();
    try {
      this.#expected.match(line);
    } catch (error) {
      if (error instanceof ReplayMismatchError) this.#fail(error);
      throw error;
    }
    this.#schedule();
  }

  close(): Promise<TransportEnd> {
    this.#closing = true;
    this.#paused = false;
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#schedule();
    return this.ended;
  }

  assertFinished(): void {
    if (this.#mismatch !== undefined) throw this.#mismatch;
    const { missing } = this.#expected;
    const [first] = missing;
    if (first === undefined) return;
    const list = missing.map((line) => `  line ${line.at}: ${labelOf(line)}`).join('\n');
    throw new ReplayMismatchError(`The host never sent these lines of the recording:\n${list}`, {
      at: first.at,
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#over || this.#cancelWait !== undefined) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#advance();
    });
  }

  /** Continues until it has to wait for the host, the clock or a pause. */
  #advance(): void {
    while (!this.#over && !this.#paused && (this.#onLines !== undefined || this.#closing)) {
      const placed = this.#entries[this.#position];
      if (placed === undefined) this.#runOut();
      if (placed === undefined || !this.#play(placed)) return;
      this.#position += 1;
    }
  }

  /** Plays one entry; false if it is too early. */
  #play({ at, entry }: PlacedEntry): boolean {
    if (entry.kind === 'eof' && entry.from === 'host') return this.#closing;
    if (entry.kind === 'end') {
      this.#finish(asEnd(entry.end));
      return true;
    }
    if (entry.kind !== 'line') return true;
    if (entry.from === 'host') return this.#hostDid(at, entry.t);
    if (this.#waits(entry.t)) return false;
    this.#onLines?.([this.#ids.translate(entry.line)]);
    return true;
  }

  #hostDid(at: number, t: number): boolean {
    if (this.#hostLines.get(at)?.met === true) {
      this.#lastTime = t;
      return true;
    }
    // A program that closes early gets nothing more; assertFinished reports what is missing.
    if (this.#closing) this.#finish(this.#recordedEnd());
    return false;
  }

  #waits(t: number): boolean {
    const delay = (t - this.#lastTime) / this.#pace;
    this.#lastTime = t;
    if (this.#closing || !(delay > 0)) return false;
    this.#cancelWait = this.#clock.after(delay, () => {
      this.#cancelWait = undefined;
      this.#schedule();
    });
    return true;
  }

  /** The recording ends early: the CLI stays silent and ends when asked to. */
  #runOut(): void {
    if (this.#closing) this.#finish({ reason: 'closed' });
  }

  #recordedEnd(): TransportEnd {
    const last = this.#entries.findLast(({ entry }) => entry.kind === 'end')?.entry;
    return last?.kind === 'end' ? asEnd(last.end) : { reason: 'closed' };
  }

  #fail(error: ReplayMismatchError): void {
    this.#mismatch = error;
    this.#finish({ reason: 'failed', error });
  }

  #finish(end: TransportEnd): void {
    this.#over = true;
    this.#cancelWait?.();
    this.#end.resolve(end);
  }
}

function paceOf(speed: 'instant' | 'recorded' | number): number {
  if (speed === 'instant') return Number.POSITIVE_INFINITY;
  const pace = speed === 'recorded' ? 1 : speed;
  if (pace > 0) return pace;
  throw new CoxswainError('OPTION_INVALID', `A recording cannot be replayed at speed ${speed}.`);
}

function versionIn(entry: TraceEntry): string | undefined {
  return entry.kind === 'facts' ? entry.cliVersion : undefined;
}

function asEnd(end: RecordedEnd): TransportEnd {
  return end.reason === 'failed' ? { reason: 'failed', error: new Error(end.error) } : end;
}
