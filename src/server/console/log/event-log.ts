import type { Position } from '../../../entry/remote/contract.js';
import { encodeHeader } from '../../../wire/trace/record/encode-entry.js';
import type { TraceSink } from '../../../wire/trace/record/trace-sink.js';
import type { Clock } from '../../../wire/util/clock.js';
import { callbackFailed, type OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { quiet } from '../../../wire/util/listeners.js';
import type { ServedLog } from '../sessions/served-session.js';
import { fileLine, isHeader, type LogEntry, plainLine, stamp } from './entry.js';
import { Segments } from './segments.js';
import { Tail } from './tail.js';

/** How many events of a session to keep. */
export interface LogLimits {
  /** How many characters of the latest events to keep in memory. */
  readonly memory: number;
  /** The maximum size of one file, in bytes. */
  readonly segmentBytes: number;
  /** The maximum size of all files of a session, in bytes. */
  readonly maxBytes: number;
}

/** The default limits. */
const DEFAULT_LOG_LIMITS: LogLimits = {
  memory: 1024 * 1024,
  segmentBytes: 4 * 1024 * 1024,
  maxBytes: 64 * 1024 * 1024,
};

/** The dependencies of {@link openEventLog}. */
export interface EventLogOptions {
  readonly folder: string;
  readonly limits?: LogLimits | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  /** The time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
  /** The last number that clients may have seen, if it was stored elsewhere. */
  readonly told?: number | undefined;
}

/** An opened log, and what was read from its last file. */
export interface OpenedLog {
  readonly log: EventLog;
  readonly tail: readonly LogEntry[];
}

/**
 * Opens the log in a folder, and continues after its last entry. After a crash, clients may have seen events that
 * never reached the disk: their numbers are not reused, and the last file is read completely. A log with events after
 * `told` belongs to a server that was killed.
 */
export async function openEventLog(options: EventLogOptions, wasOpen = false): Promise<OpenedLog> {
  const { segmentBytes, maxBytes } = options.limits ?? DEFAULT_LOG_LIMITS;
  const { folder, onDiagnostic, clock } = options;
  const segments = new Segments({ folder, segmentBytes, maxBytes, onDiagnostic, clock });
  await segments.open();
  segments.noteHeader(plainHeader());
  const end = await listed(segments.last(wasOpen));
  // If the last file cannot be read, its numbers are not reused.
  const last = end.at(-1)?.n ?? segments.lastFirst ?? 0;
  const { told = last } = options;
  const crashed = wasOpen || last > told;
  const tail = crashed && !wasOpen ? await listed(segments.last(true)) : end;
  const isShort = !crashed && told > last;
  const next = crashed ? endOfSeries(last) : isShort ? endOfSeries(told) : last;
  const log = new EventLog(segments, next, options);
  if (isShort) log.add(resumed([[last + 1, told]]));
  return { log, tail };
}

async function listed(entries: AsyncIterable<LogEntry>): Promise<readonly LogEntry[]> {
  const list: LogEntry[] = [];
  for await (const entry of entries) list.push(entry);
  return list;
}

/** How long to wait before it is tried again to write to a disk that failed. */
const RETRY_MS = 5_000;

type Gap = readonly [from: number, to: number];

/** The event after events that were not recorded. */
function resumed(gaps: readonly Gap[]): object {
  const numbers = gaps.map(([from, to]) => (from === to ? `event ${from}` : `events ${from} to ${to}`));
  const lost = gaps.length === 0 ? 'Nothing is missing.' : `Missing: ${numbers.join(', ')}.`;
  const text = `Recording goes on after the disk was full or failed. ${lost}`;
  return { kind: 'note', level: gaps.length === 0 ? 'info' : 'warning', code: 'RECORDING_RESUMED', text };
}

/** Each crash starts a new series of numbers; no server has that many events waiting for the disk. */
const SERIES = 1_000_000;

function endOfSeries(n: number): number {
  return (Math.floor(n / SERIES) + 1) * SERIES;
}

/** Whether two numbers belong to one series. */
export function isOneSeries(one: number, other: number): boolean {
  return endOfSeries(one - 1) === endOfSeries(other - 1);
}

/** Whether a number follows a crash: the numbers between it and the previous one do not exist. */
function beginsSeries(n: number): boolean {
  return n % SERIES === 1;
}

/** The start of a file whose first events precede the start of a CLI: recording readers expect a header. */
function plainHeader(): string {
  const { platform, arch } = process;
  const startedAt = new Date().toISOString();
  return encodeHeader({ startedAt, argv: [], platform, arch, writer: 'coxswain', redacted: false }).trimEnd();
}

/** A session's numbered events: the latest in memory, older ones on disk, the oldest deleted. */
export class EventLog implements ServedLog {
  readonly #segments: Segments;
  readonly #memory: number;
  readonly #now: () => number;
  readonly #onDiagnostic: OnDiagnostic | undefined;
  readonly #watchers = new Set<() => void>();
  #recent: LogEntry[] = [];
  #characters = 0;
  #written = 0;
  #last: number;
  #closing: Promise<void> | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #trying: Promise<void> | undefined;

  constructor(segments: Segments, last: number, { limits, now, onDiagnostic }: EventLogOptions) {
    this.#segments = segments;
    this.#memory = (limits ?? DEFAULT_LOG_LIMITS).memory;
    this.#now = now ?? Date.now;
    this.#onDiagnostic = onDiagnostic;
    this.#last = last;
  }

  /** The last number; 0 for an empty log. */
  get last(): number {
    return this.#last;
  }

  /** The first number that is still available. */
  get first(): number {
    return this.#segments.first ?? this.firstRecent;
  }

  /** The first number that is in memory. */
  get firstRecent(): number {
    return this.#recent[0]?.n ?? this.#last + 1;
  }

  /** How many characters were added since it was opened. */
  get written(): number {
    return this.#written;
  }

  /** Accepts what a recording writes; pass it as the `record` option. */
  get sink(): TraceSink {
    return { write: (text) => this.#writeLines(text), flush: async () => {} };
  }

  /** Adds one of our own events and returns its number; `at` is its time, if not now. */
  add(event: object, at?: number): number {
    if (this.#closing === undefined) this.#append(plainLine(event), at);
    return this.#last;
  }

  /** Called after each addition; the returned function unsubscribes. */
  watch(watcher: () => void): () => void {
    let isReported = false;
    const guarded = quiet(watcher, (error) => {
      // The report may become an event itself.
      if (isReported) return;
      isReported = true;
      this.#onDiagnostic?.(callbackFailed('watch', error));
    });
    this.#watchers.add(guarded);
    return () => this.#watchers.delete(guarded);
  }

  /** The events in memory from a number on; undefined if the number is older than those. */
  recent(from: number): readonly LogEntry[] | undefined {
    const { firstRecent } = this;
    return from < firstRecent ? undefined : this.#recent.slice(from - firstRecent);
  }

  /** The events from a number on that are no longer in memory, as far as the disk still has them. */
  async *stored(from: number): AsyncGenerator<LogEntry, void, undefined> {
    for await (const entry of this.#segments.read(from)) {
      if (entry.n > this.#last || this.recent(entry.n) !== undefined) return;
      yield entry;
    }
  }

  /** All events that are still available. */
  async *all(): AsyncGenerator<LogEntry, void, undefined> {
    let next = this.first;
    for await (const entry of this.stored(next)) {
      next = entry.n + 1;
      yield entry;
    }
    yield* this.recent(Math.max(next, this.firstRecent)) ?? [];
  }

  /** The number at which the latest events start, for about this many characters. */
  async startOfTail(characters: number): Promise<number> {
    const tail = new Tail(characters);
    for (const entry of this.#recent.toReversed()) tail.add(entry);
    if (!tail.isFull) await this.#segments.readBack(this.firstRecent, tail);
    return tail.start ?? this.firstRecent;
  }

  async has({ after }: Position): Promise<boolean> {
    return after <= this.#last;
  }

  /** What its disk loses does not get other numbers: see {@link openEventLog}. */
  get losses(): number {
    return 0;
  }

  /** Whether events are missing before one that does not have the next number. */
  isGap(_next: number, found: number): boolean {
    return !beginsSeries(found);
  }

  /** Nothing is added from now on; resolves when everything is on disk. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // A try may have begun before there was room.
    await this.#trying;
    // A disk that is still away was reported when it failed.
    if (this.#segments.isDown) await this.#resume().catch(() => {});
    return this.#segments.close();
  }

  /** Tries to write again: what is still in memory, and where events are missing. */
  async #resume(): Promise<void> {
    this.#triedAt = this.#now();
    const stored = await this.#segments.lastStored();
    const kept = this.#recent.filter(({ n }) => n > stored);
    const gaps: Gap[] = [];
    const [first] = kept;
    if (first === undefined || !(await this.#segments.restart(kept))) return;
    if (first.n > stored + 1) gaps.push([stored + 1, first.n - 1]);
    const written = kept.at(-1)?.n ?? stored;
    // Others have come in meanwhile, and some of them may be gone from memory already.
    if (this.firstRecent > written + 1) gaps.push([written + 1, this.firstRecent - 1]);
    for (const entry of this.#recent) if (entry.n > written) this.#segments.write(fileLine(entry), entry.n);
    // Also if the log is being closed.
    this.#append(plainLine(resumed(gaps)));
  }

  #writeLines(text: string): void {
    // Anything after the end would create a file that nobody wants any more.
    if (this.#closing !== undefined) return;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (isHeader(line)) this.#segments.noteHeader(line);
      this.#append(line);
    }
  }

  #append(line: string, at = this.#now()): void {
    this.#last += 1;
    const entry = stamp(line, this.#last, at);
    this.#recent.push(entry);
    this.#characters += entry.rest.length;
    this.#written += entry.rest.length;
    this.#forget();
    this.#segments.write(fileLine(entry), entry.n);
    if (this.#segments.isDown) this.#resumeSoon();
    for (const watcher of this.#watchers) watcher();
  }

  #resumeSoon(): void {
    if (this.#trying !== undefined || this.#now() - this.#triedAt < RETRY_MS) return;
    this.#trying = this.#resume()
      // It is tried again later.
      .catch(() => {})
      .finally(() => {
        this.#trying = undefined;
      });
  }

  /** Down to half: trimming a long list a little for each event would cost more than it frees. */
  #forget(): void {
    if (this.#characters <= this.#memory) return;
    let dropped = 0;
    while (this.#characters > this.#memory / 2 && dropped < this.#recent.length - 1) {
      this.#characters -= this.#recent[dropped]?.rest.length ?? 0;
      dropped += 1;
    }
    this.#recent = this.#recent.slice(dropped);
  }
}
