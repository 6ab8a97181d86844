import type { Clock } from '../../../wire/util/clock.js';
import type { Engine } from '../engine/engine.js';
import { persist } from '../engine/persist.js';
import { isRefused } from '../engine/writes.js';
import { type FleetRecord, readRecord } from '../record.js';

/** What a {@link RecordKeeper} works with. */
export interface RecordKeeperParts {
  readonly engine: Engine;
  readonly session: string;
  readonly epoch: number;
  readonly clock: Clock;
  /** The revision that the record has; 0 for none. */
  readonly revision: number;
  /** The record as it is now; undefined while there is nothing to keep. */
  readonly record: () => FleetRecord | undefined;
  /** Resolves when the engine has what the log has: the record tells nothing that the log does not. */
  readonly flushed: () => Promise<void> | undefined;
  readonly onFenced: () => void;
}

/** How long after one writing the next one waits; what changes until then is written with it. */
const PAUSE_MS = 50;

/** Keeps the record of a conversation up to date in the engine. Each write depends on the one before, so an old owner's is refused. */
export class RecordKeeper {
  readonly #parts: RecordKeeperParts;
  readonly #end = new AbortController();
  #revision: number;
  #written = '';
  #work: Promise<void> = Promise.resolve();
  #waits = false;
  #isFenced = false;

  constructor(parts: RecordKeeperParts) {
    this.#parts = parts;
    this.#revision = parts.revision;
  }

  /** Something has changed: it is written soon. */
  changed(): void {
    if (this.#waits || this.#end.signal.aborted) return;
    this.#waits = true;
    this.#parts.clock.after(PAUSE_MS, () => {
      this.#waits = false;
      void this.write();
    });
  }

  /** Writes what has changed; resolves when the engine has it. */
  write(): Promise<void> {
    this.#work = this.#work.then(() => this.#write());
    return this.#work;
  }

  /** Deletes the record; nothing is written from now on. */
  async delete(): Promise<void> {
    await this.#work;
    this.#end.abort();
    await this.#parts.engine.sessions.purge(this.#parts.session);
  }

  close(): void {
    this.#end.abort();
  }

  async #write(): Promise<void> {
    const { engine, session, clock, flushed, onFenced } = this.#parts;
    await flushed();
    const record = this.#parts.record();
    if (record === undefined || keyOf(record) === this.#written) return;
    const text = JSON.stringify(record);
    const put = async () => {
      try {
        const { sessions } = engine;
        const options = { previousSeq: this.#revision };
        this.#revision = await sessions.put(session, text, options);
      } catch (error) {
        await this.#findRevision(error);
        throw error;
      }
    };
    const signal = this.#end.signal;
    let done = await persist(put, { clock, signal });
    // Refused once, for an answer that was lost: the revision is known now.
    if (done === 'refused' && !this.#isFenced) done = await persist(put, { clock, signal });
    if (done === 'done') this.#written = keyOf(record);
    if (done !== 'refused') return;
    this.close();
    onFenced();
  }

  async #findRevision(error: unknown): Promise<void> {
    if (!isRefused(error)) return;
    const { engine, session, epoch } = this.#parts;
    const last_by_subj = `$KV.${engine.names.sessions}.${session}`;
    const found = await engine.jsm.streams.getMessage(`KV_${engine.names.sessions}`, { last_by_subj });
    if (found === null || found.data.length === 0) this.#revision = found?.seq ?? 0;
    else if (readRecord(found.json()).epoch > epoch) this.#isFenced = true;
    else this.#revision = found.seq;
  }
}

/** Numbers that change with every event are of no use to whoever takes over. */
function keyOf({ summary, ...rest }: FleetRecord): string {
  const { last: _last, changedAt: _changedAt, memory: _memory, viewers: _viewers, ...shown } = summary;
  return JSON.stringify({ ...rest, shown });
}
