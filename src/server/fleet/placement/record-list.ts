import type { Engine, KeyState } from '../engine/engine.js';
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
  async open({ records }: Engine, listener: RecordListener): Promise<void> {
    this.#stop = await records.watch((state) => {
      const { key, revision } = state;
      const record = parse(state);
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

function parse({ value }: KeyState): FleetRecord | undefined {
  try {
    return readRecord(value);
  } catch {
    return undefined;
  }
}
