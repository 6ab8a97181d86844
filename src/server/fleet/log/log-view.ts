import type { Position } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { kinds, openShape } from '../../../wire/util/option-checks.js';
import { type LogEntry, readFileLine } from '../../console/log/entry.js';
import { isOneSeries } from '../../console/log/event-log.js';
import { Tail } from '../../console/log/tail.js';
import type { ServedLog } from '../../console/sessions/served-session.js';
import { addresses, type BatchHead, type Engine, type Stored } from '../engine/engine.js';
import { persist, waitFor } from '../engine/persist.js';
import { sentObject } from '../engine/sent-object.js';
import { readBatch } from './batches.js';
import { loadBlob } from './blobs.js';
import type { LogMemory } from './log-memory.js';
import { type LogEnds, StoredLog } from './stored-log.js';

/** How long to follow a log after the last watcher has left. */
const LINGER_MS = 10_000;
/** The maximum number of partial messages that wait for earlier events. */
const MOST_EARLY = 1_000;

/** How long a reader waits for an engine that is away, and how often it tries. */
const AWAY_MS = 60_000;
const AGAIN_MS = 200;

interface LivePieces {
  /** The last stored number before these messages. */
  readonly after: number;
  readonly series?: string;
  readonly entries: readonly LogEntry[];
}

/** What is known of a batch that says what was stored before it. */
type Chained = BatchHead & { readonly after: number };

/** The dependencies of a {@link LogView}. */
export interface LogViewParts {
  readonly clock: Clock;
  /** Shared by all logs of a gateway. */
  readonly memory: LogMemory;
}

/** The log of a worker's conversation, as a gateway reads it: the latest events in memory, the rest in the engine. */
export class LogView implements ServedLog {
  readonly #engine: Engine;
  readonly #session: string;
  readonly #clock: Clock;
  readonly #memory: LogMemory;
  readonly #stored: StoredLog;
  readonly #watchers = new Set<() => void>();
  #opening: Promise<void> | undefined;
  /** Whether it is known where the log ends. */
  #isOpen = false;
  #end = new AbortController();
  #ends: LogEnds | undefined;
  #recent: LogEntry[] = [];
  #firstRecent = 1;
  #characters = 0;
  /** The last number stored in the engine, as far as known here, and its series. */
  #kept = 0;
  #series: string | undefined;
  #losses = 0;
  /** The first numbers after lost events. */
  readonly #holes = new Set<number>();
  #early: LivePieces[] = [];
  #stopReading: () => void = () => {};
  #stopLive: () => void = () => {};
  #callOffClose: () => void = () => {};

  constructor(engine: Engine, session: string, { clock, memory }: LogViewParts) {
    this.#engine = engine;
    this.#session = session;
    this.#clock = clock;
    this.#memory = memory;
    this.#stored = new StoredLog(engine, session);
  }

  get last(): number {
    return Math.max(this.#recent.at(-1)?.n ?? 0, this.#firstRecent - 1);
  }

  get first(): number {
    return this.#ends?.first ?? this.#recent[0]?.n ?? 1;
  }

  get firstRecent(): number {
    return this.#firstRecent;
  }

  /** Follows the log from now on; resolves when it knows where the log ends. While the engine is away, it retries. */
  open(): Promise<void> {
    this.#memory.add(this);
    this.#opening ??= this.#open();
    this.#linger();
    return this.#opening;
  }

  /** Stops following, and frees the memory. */
  close(): void {
    this.#callOffClose();
    this.#memory.delete(this);
    this.#opening = undefined;
    this.#isOpen = false;
    this.#end.abort();
    this.#stopReading();
    this.#stopLive();
    // Partial messages are gone: their numbers cannot be read any more.
    this.#recent = [];
    this.#early = [];
    this.#characters = 0;
    this.#firstRecent = this.#kept + 1;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    void this.open();
    return () => {
      this.#watchers.delete(watcher);
      this.#linger();
    };
  }

  recent(from: number): readonly LogEntry[] | undefined {
    if (from < this.#firstRecent) return undefined;
    const at = this.#recent.findLastIndex(({ n }) => n < from);
    return this.#recent.slice(at + 1);
  }

  /** Reads again from where it stopped if the engine goes away meanwhile: a viewer must not take that for a gap. */
  async *stored(from: number): AsyncGenerator<LogEntry, void, undefined> {
    const [clock, { signal }] = [this.#clock, this.#end];
    let next = from;
    let since = clock.now();
    for (;;) {
      let failure: unknown;
      try {
        for await (const entry of this.#storedNow(next)) {
          if (entry.n >= this.#firstRecent) return;
          yield entry;
          next = entry.n + 1;
          since = clock.now();
        }
        if (next > (this.#ends?.last ?? 0)) return;
      } catch (error) {
        failure = error;
      }
      if (signal.aborted || clock.now() - since > AWAY_MS)
        throw failure ?? new Error('The log cannot be read.');
      await waitFor(AGAIN_MS, { clock, signal });
    }
  }

  /** Reads everything that is stored now from a number on; resolves with the last number. */
  async readNew(from: number, onEntry: (entry: LogEntry) => void): Promise<number> {
    const ends = await this.#stored.ends();
    if (ends === undefined) return 0;
    if (from <= ends.last) for await (const entry of this.#stored.read(from, ends)) onEntry(entry);
    return ends.last;
  }

  async *#storedNow(from: number): AsyncGenerator<LogEntry, void, undefined> {
    const ends = await this.#stored.ends();
    this.#ends = ends;
    if (ends !== undefined) yield* this.#stored.read(from, ends, (n) => this.#holes.add(n));
  }

  async startOfTail(characters: number): Promise<number> {
    const tail = new Tail(characters);
    for (const entry of this.#recent.toReversed()) tail.add(entry);
    const ends = tail.isFull ? undefined : await this.#stored.ends();
    if (ends === undefined) return tail.start ?? this.#firstRecent;
    return (await this.#stored.readBack(this.#firstRecent, ends, tail)) ?? this.#firstRecent;
  }

  async has({ after, kept = after, series }: Position): Promise<boolean> {
    // Parts of messages are not stored: a client of another gateway may have some that this one has not seen.
    if (series === undefined) return after <= this.last || isOneSeries(after, this.last);
    return kept < this.first || this.#stored.has(kept, series);
  }

  get losses(): number {
    return this.#losses;
  }

  /**
   * Partial messages have numbers and are not stored, and each owner starts a new series: only old events can
   * be missing, and those that NATS has lost.
   */
  isGap(next: number, found: number): boolean {
    return next < this.first || this.#holes.has(found);
  }

  /** Stops following the log if nobody watches it for a while. One that is being opened has somebody who waits. */
  #linger(): void {
    this.#callOffClose();
    if (this.#isOpen && this.#watchers.size === 0)
      this.#callOffClose = this.#clock.after(LINGER_MS, () => this.close());
  }

  async #open(): Promise<void> {
    this.#end = new AbortController();
    const { signal } = this.#end;
    await persist(() => this.#follow(signal), { clock: this.#clock, signal });
    if (signal.aborted) return;
    this.#isOpen = true;
    this.#linger();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { bus } = this.#engine;
    this.#stopLive();
    this.#stopLive = bus.subscribe(addresses.viewers(this.#session), ({ text }) => this.#takeLive(text));
    const ends = await this.#stored.ends();
    if (signal.aborted) return;
    this.#ends = ends;
    this.#kept = ends?.last ?? 0;
    this.#series = ends?.series;
    this.#firstRecent = (ends?.last ?? 0) + 1;
    await this.#read((ends?.lastSequence ?? 0) + 1, ends, signal);
  }

  async #read(from: number, ends: LogEnds | undefined, signal: AbortSignal): Promise<void> {
    const seen = ends === undefined ? undefined : { sequence: ends.lastSequence, at: ends.lastAt };
    const again = () => this.#readAgain(signal);
    const key = { session: this.#session, part: 'events' } as const;
    const stop = await this.#engine.logs.follow(key, {
      from,
      seen,
      onStored: (stored) => this.#take(stored, signal),
      onRewound: () => void persist(again, { clock: this.#clock, signal }),
    });
    // Closed meanwhile.
    if (signal.aborted) stop();
    else this.#stopReading = stop;
  }

  /** NATS has lost what was read last: viewers start over, unless its owner has stored that again. */
  async #readAgain(signal: AbortSignal): Promise<void> {
    const ends = await this.#stored.ends();
    const series = this.#series;
    const isWhole = series !== undefined && (await this.#stored.has(this.#kept, series));
    const from = isWhole && ends !== undefined ? await this.#stored.sequenceOf(this.#kept, ends) : undefined;
    if (signal.aborted) return;
    this.#ends = ends;
    this.#stopReading();
    if (!isWhole) {
      const last = ends?.last ?? 0;
      this.#startOver({ first: last + 1, after: last });
      this.#series = ends?.series;
      this.#tellWatchers();
    }
    await this.#read(from ?? (ends?.lastSequence ?? 0) + 1, ends, signal);
  }

  async #take(stored: Stored, signal: AbortSignal): Promise<void> {
    const entries: LogEntry[] = [];
    for (const entry of readBatch(stored)) entries.push(await loadBlob(this.#engine, entry));
    if (signal.aborted) return;
    if (this.#isLoss(stored.head)) this.#startOver(stored.head);
    this.#series = stored.head?.series;
    this.#kept = Math.max(this.#kept, entries.at(-1)?.n ?? 0);
    this.#add(entries);
    this.#takeEarly();
  }

  /** Whether events are missing before a batch, or its owner does not know events that were shown here. */
  #isLoss(head: BatchHead | undefined): head is Chained {
    if (head?.after === undefined || head.after === this.#kept) return false;
    // Its owner has stored again what NATS had lost.
    const isKnown = head.series === this.#series && head.first <= this.#kept;
    return !isKnown;
  }

  /** Viewers begin again: what was before the batch is as the engine has it now. */
  #startOver({ first, after }: Pick<Chained, 'first' | 'after'>): void {
    this.#recent = [];
    this.#early = [];
    this.#characters = 0;
    this.#firstRecent = first;
    this.#kept = after;
    this.#losses += 1;
  }

  #takeLive(text: string): void {
    const pieces = livePieces(text);
    const { after } = pieces;
    if (after <= this.#kept) this.#addLive(pieces);
    else if (this.#early.length < MOST_EARLY) this.#early.push(pieces);
  }

  /** Partial messages may overtake earlier events. */
  #takeEarly(): void {
    const ready = this.#early.filter(({ after }) => after <= this.#kept);
    this.#early = this.#early.filter(({ after }) => after > this.#kept);
    for (const pieces of ready) this.#addLive(pieces);
  }

  /** An earlier owner may not know yet that it is over. */
  #addLive({ series, entries }: LivePieces): void {
    if (series === undefined || series === this.#series) this.#add(entries);
  }

  /** Anything not after the last event came too late: parts of a message that is already complete. */
  #add(entries: readonly LogEntry[]): void {
    const last = this.#recent.at(-1)?.n ?? this.#firstRecent - 1;
    const fresh = entries.filter(({ n }) => n > last);
    if (fresh.length === 0) return;
    for (const entry of fresh) {
      this.#recent.push(entry);
      this.#characters += entry.rest.length;
    }
    this.#forget();
    this.#tellWatchers();
  }

  #tellWatchers(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #forget(): void {
    const { share } = this.#memory;
    if (this.#characters <= share) return;
    let dropped = 0;
    while (this.#characters > share / 2 && dropped < this.#recent.length - 1) {
      this.#characters -= this.#recent[dropped]?.rest.length ?? 0;
      dropped += 1;
    }
    this.#recent = this.#recent.slice(dropped);
    this.#firstRecent = this.#recent[0]?.n ?? this.#firstRecent;
  }
}

const liveHead = openShape({ after: kinds.count }, { series: kinds.text });

/** Reads partial messages from the bus. @throws if it is none. */
function livePieces(text: string): LivePieces {
  const [head = '', ...lines] = text.split('\n');
  const { after, series } = sentObject(head, liveHead) as unknown as Pick<LivePieces, 'after' | 'series'>;
  const own = series === undefined ? {} : { series };
  const entries = lines.flatMap((line) => readFileLine(line) ?? []);
  return { after, ...own, entries: entries.map((entry) => ({ ...entry, ...own })) };
}
