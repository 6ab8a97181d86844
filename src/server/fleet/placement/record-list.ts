import type { KvWatchEntry } from '@nats-io/kv';
import type { Engine } from '../engine/engine.js';
import { jsonOf, watchBucket } from '../engine/watch-bucket.js';
import { type FleetRecord, readRecord } from '../record.js';

/** A record, and the revision needed to change it. */
export interface KnownRecord {
  readonly record: FleetRecord;
  readonly revision: number;
}

/** Who a {@link RecordList} notifies. */
export interface RecordListener {
  readonly onChange: (session: string, record: FleetRecord) => void;
  readonly onRemoved: (session: string) => void;
}

/** The records of all conversations, as the engine reports them. Records from newer versions are left out. */
export class RecordList {
  readonly #records = new Map<string, KnownRecord>();
  #stop: () => void = () => {};

  /** Resolves when all existing ones are known. */
  async open({ sessions }: Engine, listener: RecordListener): Promise<void> {
    this.#stop = await watchBucket(sessions, (entry) => {
      const { key, revision } = entry;
      const record = parse(entry);
      if (record !== undefined) {
        this.#records.set(key, { record, revision });
        listener.onChange(key, record);
      } else if (this.#records.delete(key)) listener.onRemoved(key);
    });
  }

  get all(): ReadonlyMap<string, KnownRecord> {
    return this.#records;
  }

  find(session: string): KnownRecord | undefined {
    return this.#records.get(session);
  }

  close(): void {
    this.#stop();
  }
}

function parse(entry: KvWatchEntry): FleetRecord | undefined {
  try {
    return readRecord(jsonOf(entry));
  } catch {
    return undefined;
  }
}
