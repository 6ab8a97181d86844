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
  /** A record is damaged, or from a newer version: it is left out. */
  readonly onUnread?: ((session: string, error: unknown) => void) | undefined;
}

/** The records of all conversations, as the engine reports them. */
export class RecordList {
  readonly #records = new Map<string, KnownRecord>();
  #stop: () => void = () => {};

  /** Resolves when all existing ones are known. */
  async open({ records }: Engine, listener: RecordListener): Promise<void> {
    this.#stop = await records.watch((state) => {
      const { key, revision } = state;
      const record = read(state, listener);
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

function read({ key, value }: KeyState, { onUnread }: RecordListener): FleetRecord | undefined {
  if (value === undefined) return undefined;
  try {
    return readRecord(value);
  } catch (error) {
    onUnread?.(key, error);
    return undefined;
  }
}
