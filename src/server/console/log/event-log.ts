import { encodeHeader } from '../../../wire/trace/record/encode-entry.js';
import type { TraceSink } from '../../../wire/trace/record/trace-sink.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
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
}

/** An opened log, and what was read from its last file. */
export interface OpenedLog {
  readonly log: EventLog;
  readonly tail: readonly LogEntry[];
}

/**
 * Opens the log in a folder, and continues after its last entry. After a crash, clients may have seen events that
 * never reached the disk: their numbers are not reused, and the last file is read completely.
 */
export async function openEventLog(options: EventLogOptions, crashed = false): Promise<OpenedLog> {
  const { segmentBytes, maxBytes } = options.limits ?? DEFAULT_LOG_LIMITS;
  const { folder, onDiagnostic } = options;
  const segments = new Segments({ folder, segmentBytes, maxBytes, onDiagnostic });
  await segments.open();
  segments.noteHeader(plainHeader());
  const tail: LogEntry[] = [];
  for await (const entry of segments.last(crashed)) tail.push(entry);
  // If the last file cannot be read, its numbers are not reused.
  const last = tail.at(-1)?.n ?? segments.lastFirst ?? 0;
  return { log: new EventLog(segments, crashed ? endOfSeries(last) : last, options), tail };
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
  readonly #watchers = new Set<() => void>();
  #recent: LogEntry[] = [];
  #characters = 0;
  #written = 0;
  #last: number;
  #closed = false;

  constructor(segments: Segments, last: number, { limits, now }: EventLogOptions) {
    this.#segments = segments;
    this.#memory = (limits ?? DEFAULT_LOG_LIMITS).memory;
    this.#now = now ?? Date.now;
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
    this.#append(plainLine(event), at);
    return this.#last;
  }

  /** Called after each addition; the returned function unsubscribes. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
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

  mayHaveTold(n: number): boolean {
    return n <= this.#last;
  }

  /** Whether events are missing before one that does not have the next number. */
  isGap(_next: number, found: number): boolean {
    return !beginsSeries(found);
  }

  /** Resolves when everything is on disk. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#segments.close();
  }

  #writeLines(text: string): void {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (isHeader(line)) this.#segments.noteHeader(line);
      this.#append(line);
    }
  }

  #append(line: string, at = this.#now()): void {
    // Anything after the end would create a file that nobody wants any more.
    if (this.#closed) return;
    this.#last += 1;
    const entry = stamp(line, this.#last, at);
    this.#recent.push(entry);
    this.#characters += entry.rest.length;
    this.#written += entry.rest.length;
    this.#forget();
    this.#segments.write(fileLine(entry), entry.n);
    for (const watcher of this.#watchers) watcher();
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
