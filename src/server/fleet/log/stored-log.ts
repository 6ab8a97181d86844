import type { StoredMsg } from '@nats-io/jetstream';
import type { LogEntry } from '../../console/log/entry.js';
import type { Tail } from '../../console/log/tail.js';
import type { Engine } from '../engine/engine.js';
import { readStored } from '../engine/read-stored.js';
import { checkFormat, numbersOf, readBatch } from './batches.js';
import { loadBlob } from './blobs.js';

/** Where a log starts and ends, by number and by stream sequence. */
export interface LogEnds {
  readonly first: number;
  readonly last: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** Reads the log of one conversation from the engine. */
export class StoredLog {
  readonly #engine: Engine;
  readonly #stream: string;
  readonly #subject: string;

  constructor(engine: Engine, session: string) {
    this.#engine = engine;
    this.#stream = engine.names.streamOf(session);
    this.#subject = engine.names.events(session);
  }

  /** Where the log starts and ends, according to the stream's leader; undefined for an empty log. */
  async ends(): Promise<LogEnds | undefined> {
    const { streams } = this.#engine.jsm;
    const end = await streams.getMessage(this.#stream, { last_by_subj: this.#subject });
    if (end === null) return undefined;
    const begin = (await this.#at(1)) ?? end;
    return {
      first: numbersOf(begin.header).first,
      last: numbersOf(end.header).last,
      firstSequence: begin.seq,
      lastSequence: end.seq,
    };
  }

  /** @throws CoxswainError `STORE_TOO_NEW` if a newer version has written to it. */
  async checkFormat(): Promise<void> {
    const { streams } = this.#engine.jsm;
    const end = await streams.getMessage(this.#stream, { last_by_subj: this.#subject });
    checkFormat(end?.header);
  }

  /** The entries from a number on, up to the end found. */
  async *read(from: number, ends: LogEnds): AsyncGenerator<LogEntry, void, undefined> {
    const part = {
      stream: this.#stream,
      subject: this.#subject,
      from: await this.#sequenceOf(from, ends),
      to: ends.lastSequence,
    };
    for await (const message of readStored(this.#engine, part)) {
      const { header: headers, time } = message;
      for (const entry of readBatch({ text: message.string(), headers, time }))
        if (entry.n >= from) yield loadBlob(this.#engine, entry);
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

  /** The sequence of the message that contains a number, or of the first one after it; a binary search. */
  async #sequenceOf(n: number, { first, firstSequence, lastSequence }: LogEnds): Promise<number> {
    if (n <= first) return firstSequence;
    let [low, high] = [firstSequence, lastSequence];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await this.#at(middle);
      if (found !== null && numbersOf(found.header).last < n) low = found.seq + 1;
      else high = middle;
    }
    return low;
  }

  /** The first message of the log at or after a sequence. */
  #at(sequence: number): Promise<StoredMsg | null> {
    const query = { seq: sequence, next_by_subj: this.#subject };
    return this.#engine.jsm.streams.getMessage(this.#stream, query);
  }
}
