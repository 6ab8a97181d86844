import type { Clock } from '../../../wire/util/clock.js';
import { errorCode } from '../../../wire/util/error-text.js';
import type { Engine } from '../engine/engine.js';
import { lastEpoch } from '../engine/epochs.js';
import { persist } from '../engine/persist.js';
import { isRefused, MARK_TTL } from '../engine/writes.js';
import { mostBytes } from '../log/batches.js';
import { type FleetRecord, readRecord, shortened } from '../record.js';

/** The dependencies of a {@link RecordKeeper}. */
export interface RecordKeeperParts {
  readonly engine: Engine;
  readonly session: string;
  readonly epoch: number;
  readonly clock: Clock;
  /** The record that an earlier owner left, and its revision; 0 for none. */
  readonly left: { readonly record: FleetRecord | undefined; readonly revision: number };
  /** The current record; undefined while there is nothing to store. */
  readonly record: () => FleetRecord | undefined;
  /** Resolves when the engine has the log: the record must not be ahead of it. */
  readonly flushed: () => Promise<void> | undefined;
  readonly onFenced: () => void;
}

/** The minimum time between two writes; changes in between are written together. */
const PAUSE_MS = 50;

/**
 * Keeps a conversation's record in the engine up to date. Each write depends on the previous one, so an old
 * owner's write is refused, even after the record was removed.
 */
export class RecordKeeper {
  readonly #parts: RecordKeeperParts;
  readonly #end = new AbortController();
  #revision: number;
  /** Whether there is a record, as far as known: one that is gone was removed by another owner. */
  #exists: boolean;
  #written = '';
  #work: Promise<void> = Promise.resolve();
  #waits = false;
  #isFenced = false;

  constructor(parts: RecordKeeperParts) {
    this.#parts = parts;
    this.#revision = parts.left.revision;
    this.#exists = parts.left.record !== undefined;
  }

  /** Called when something has changed: the record is written soon. */
  changed(): void {
    if (this.#waits || this.#end.signal.aborted) return;
    this.#waits = true;
    this.#parts.clock.after(PAUSE_MS, () => {
      this.#waits = false;
      void this.write();
    });
  }

  /** Writes pending changes; resolves when the engine has them. */
  write(): Promise<void> {
    this.#work = this.#work.then(() => this.#write());
    return this.#work;
  }

  /** Deletes the record, unless it is a new owner's; nothing is written after that. */
  async delete(): Promise<void> {
    await this.#work;
    this.#end.abort();
    const { engine, session } = this.#parts;
    const { record, revision, isTheirs } = await this.#found();
    if (record === undefined || isTheirs) return;
    await engine.sessions.purge(session, { ttl: MARK_TTL, previousSeq: revision });
  }

  close(): void {
    this.#end.abort();
  }

  async #write(): Promise<void> {
    const { engine, session, epoch, clock, flushed, onFenced } = this.#parts;
    await flushed();
    const record = this.#parts.record();
    if (record === undefined || keyOf(record) === this.#written) return;
    const text = textOf(record, mostBytes(engine));
    const put = async () => {
      // No revision tells an old owner that there was a record.
      this.#isFenced ||= !this.#exists && (await lastEpoch(engine, session))?.sequence !== epoch;
      if (this.#isFenced) return;
      try {
        this.#revision = await engine.sessions.put(session, text, { previousSeq: this.#revision });
        this.#exists = true;
      } catch (error) {
        await this.#findRevision(error);
        throw error;
      }
    };
    const signal = this.#end.signal;
    let done = await persist(put, { clock, signal });
    // Refused once because an answer was lost: the revision is now known.
    if (done === 'refused' && !this.#isFenced) done = await persist(put, { clock, signal });
    if (this.#isFenced || done === 'refused') {
      this.close();
      onFenced();
    } else if (done === 'done') this.#written = keyOf(record);
  }

  async #findRevision(error: unknown): Promise<void> {
    if (!isRefused(error)) return;
    const { record, revision, isTheirs } = await this.#found();
    if (isTheirs || (record === undefined && this.#exists)) this.#isFenced = true;
    else this.#revision = revision;
  }

  /** What the engine has now, and whether a later owner wrote it. */
  async #found() {
    const { engine, session, epoch } = this.#parts;
    try {
      const left = await leftRecord(engine, session);
      return { ...left, isTheirs: (left.record?.epoch ?? 0) > epoch };
    } catch (error) {
      if (errorCode(error) !== 'STORE_TOO_NEW') throw error;
      return { record: undefined, revision: 0, isTheirs: true };
    }
  }
}

/** What an earlier owner left of a conversation, and the revision of its record. @throws CoxswainError `STORE_TOO_NEW`. */
export async function leftRecord({ jsm, names }: Engine, session: string) {
  const last_by_subj = `$KV.${names.sessions}.${session}`;
  const found = await jsm.streams.getMessage(`KV_${names.sessions}`, { last_by_subj });
  const isThere = found !== null && found.data.length > 0;
  return { revision: found?.seq ?? 0, record: isThere ? readRecord(found.json()) : undefined };
}

function textOf(record: FleetRecord, most: number): string {
  const text = JSON.stringify(record);
  return Buffer.byteLength(text) <= most ? text : JSON.stringify(shortened(record));
}

/** A new owner does not need numbers that change with every event. */
function keyOf({ summary, ...rest }: FleetRecord): string {
  const { last: _last, changedAt: _changedAt, memory: _memory, viewers: _viewers, ...shown } = summary;
  return JSON.stringify({ ...rest, shown });
}
