import type { Clock } from '../../../wire/util/clock.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { type Engine, failedAs } from '../engine/engine.js';
import { type Epoch, lookAtEpoch } from '../engine/epochs.js';
import { persist } from '../engine/persist.js';
import { type FleetRecord, readRecord, shortened } from '../record.js';

/** The dependencies of a {@link RecordKeeper}. */
export interface RecordKeeperParts {
  readonly engine: Engine;
  readonly epoch: Epoch;
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
      // The next change writes again.
      this.write().catch(() => {});
    });
  }

  /** Writes the record again although nothing has changed: the engine may have an older one. */
  rewrite(): void {
    this.#written = '';
    this.changed();
  }

  /** Writes pending changes; resolves when the engine has them. */
  write(): Promise<void> {
    const writing = this.#work.then(() => this.#write());
    this.#work = writing.catch(() => {});
    return writing;
  }

  /** Deletes the record, unless it is a new owner's; nothing is written after that. */
  async delete(): Promise<void> {
    await this.#work;
    this.#end.abort();
    const { engine } = this.#parts;
    const { session } = this.#parts.epoch;
    const { record, revision, isTheirs } = await this.#found();
    if (record === undefined || isTheirs) return;
    await engine.records.remove(session, revision);
  }

  close(): void {
    this.#end.abort();
  }

  async #write(): Promise<void> {
    const { engine, clock, flushed, onFenced } = this.#parts;
    const { session } = this.#parts.epoch;
    const record = this.#parts.record();
    // What happens meanwhile is not in the log yet: the next write has it.
    await flushed();
    if (record === undefined || keyOf(record) === this.#written) return;
    const text = recordText(record, engine.mostBytes);
    const begun = clock.now();
    const put = async () => {
      // No revision tells an old owner that there was a record.
      if (!this.#exists) await this.#checkEpoch(begun);
      if (this.#isFenced) return;
      try {
        await this.#parts.epoch.confirm?.();
        this.#revision = await engine.records.put(session, text, { revision: this.#revision });
        this.#exists = true;
      } catch (error) {
        await this.#findRevision(error, begun);
        throw error;
      }
    };
    const signal = this.#end.signal;
    // Refused because an answer was lost, or by a leader that still catches up: the revision is looked up each time.
    const done = await persist(put, { clock, signal, isFinal: async () => this.#isFenced });
    if (this.#isFenced) {
      this.close();
      onFenced();
    } else if (done === 'done') this.#written = keyOf(record);
  }

  async #findRevision(error: unknown, begun: number): Promise<void> {
    if (!failedAs(error, 'refused')) return;
    const { revision, isTheirs } = await this.#found();
    this.#revision = revision;
    this.#isFenced ||= isTheirs;
    if (!isTheirs) await this.#checkEpoch(begun);
  }

  /** Only the epoch says whether there is another owner. @throws if the engine has to catch up first. */
  async #checkEpoch(begun: number): Promise<void> {
    const { engine, epoch, clock } = this.#parts;
    const how = await lookAtEpoch(engine, epoch, clock.now() - begun);
    this.#isFenced ||= how === 'over';
    if (how === 'unclear') throw new Error('The epoch is not there yet.');
  }

  /** What the engine has now, and whether a later owner wrote it. */
  async #found() {
    const { engine, epoch } = this.#parts;
    try {
      const left = await leftRecord(engine, epoch.session);
      return { ...left, isTheirs: (left.record?.epoch ?? 0) > epoch.sequence };
    } catch (error) {
      if (errorCode(error) !== 'STORE_TOO_NEW') throw error;
      return { record: undefined, revision: 0, isTheirs: true };
    }
  }
}

/** What an earlier owner left of a conversation, and the revision of its record. @throws CoxswainError `STORE_TOO_NEW`. */
export async function leftRecord({ records }: Engine, session: string) {
  const { revision, value } = await records.find(session);
  return { revision, record: value === undefined ? undefined : readRecord(value) };
}

function recordText(record: FleetRecord, most: number): string {
  const text = JSON.stringify(record);
  return Buffer.byteLength(text) <= most ? text : JSON.stringify(shortened(record));
}

/** A new owner does not need numbers that change with every event. */
function keyOf({ summary, log: _log, ...rest }: FleetRecord): string {
  const { last: _last, changedAt: _changedAt, memory: _memory, viewers: _viewers, ...shown } = summary;
  return JSON.stringify({ ...rest, shown });
}
