import type { LogEntry } from '../../console/log/entry.js';
import type { Tail } from '../../console/log/tail.js';
import type { Engine, LogKey, Stored } from '../engine/engine.js';
import { checkFormat, readBatch } from './batches.js';
import { loadBlob } from './blobs.js';

/** Where a log starts and ends, by number and by stream sequence. */
export interface LogEnds {
  readonly first: number;
  readonly last: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** When its last text was stored. */
  readonly lastAt: number;
  /** The series of the last number. */
  readonly series: string | undefined;
}

/** Reads the log of one conversation from the engine. */
export class StoredLog {
  readonly #engine: Engine;
  readonly #key: LogKey;

  constructor(engine: Engine, session: string) {
    this.#engine = engine;
    this.#key = { session, part: 'events' };
  }

  /** Where the log starts and ends, according to the engine; undefined for an empty log. */
  async ends(): Promise<LogEnds | undefined> {
    const end = await this.#engine.logs.last(this.#key);
    if (end === undefined) return undefined;
    const begin = (await this.#at(1)) ?? end;
    return {
      first: begin.head?.first ?? Number.NaN,
      last: end.head?.last ?? Number.NaN,
      firstSequence: begin.sequence,
      lastSequence: end.sequence,
      lastAt: end.at,
      series: end.head?.series,
    };
  }

  /** @throws CoxswainError `STORE_TOO_NEW` if a newer version has written to it. */
  async checkFormat(): Promise<void> {
    checkFormat((await this.#engine.logs.last(this.#key))?.head);
  }

  /** Whether the log has an event with this number, of this series. */
  async has(n: number, series: string): Promise<boolean> {
    const ends = await this.ends();
    if (ends === undefined || n > ends.last) return false;
    if (series === ends.series) return true;
    return (await this.#at(await this.sequenceOf(n, ends)))?.head?.series === series;
  }

  /** The entries from a number on, up to the end found; `onHole` is called before an entry that follows lost ones. */
  async *read(
    from: number,
    ends: LogEnds,
    onHole: (n: number) => void = () => {},
  ): AsyncGenerator<LogEntry, void, undefined> {
    const range = { from: await this.sequenceOf(from, ends), to: ends.lastSequence };
    let before: number | undefined;
    for await (const stored of this.#engine.logs.read(this.#key, range)) {
      const { after = before ?? 0, first = 0, last } = stored.head ?? {};
      // What is before the first batch was not read.
      if (after > (before ?? from - 1)) onHole(first);
      before = last;
      for (const entry of readBatch(stored)) if (entry.n >= from) yield loadBlob(this.#engine, entry);
    }
  }

  /**
   * Adds entries before a number to a tail, from the last one backwards, until it is full; returns where it
   * starts.
   */
  async readBack(before: number, ends: LogEnds, tail: Tail): Promise<number | undefined> {
    // Starts twice as far back each time: streams cannot be read backwards.
    for (let back = 64; ; back *= 4) {
      const from = Math.max(ends.first, before - back);
      const entries: LogEntry[] = [];
      for await (const entry of this.read(from, ends)) if (entry.n < before) entries.push(entry);
      const trial = tail.copy();
      for (const entry of entries.toReversed()) trial.add(entry);
      if (trial.isFull || from === ends.first) return trial.start;
    }
  }

  /** The sequence of the message that contains a number, or of the first or last one there is; a binary search. */
  async sequenceOf(n: number, { first, firstSequence, lastSequence }: LogEnds): Promise<number> {
    if (n <= first) return firstSequence;
    let [low, high] = [firstSequence, lastSequence];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await this.#at(middle);
      if (found?.head !== undefined && found.head.last < n) low = found.sequence + 1;
      else high = middle;
    }
    return low;
  }

  /** The first message of the log at or after a sequence. */
  #at(sequence: number): Promise<Stored | undefined> {
    return this.#engine.logs.next(this.#key, sequence);
  }
}
