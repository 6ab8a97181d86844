import type { LogEvent } from '../../../src/entry/remote/contract.js';
import { type TraceEntry, traceLine } from '../../../src/wire/trace/format.js';
import type { WireEntry } from '../../shared/model/wire-row.js';
import type { WireRecord } from '../model/view.js';

/**
 * Entries about the wire in the form of a recording, as the shared parts take them. Each CLI of a session counts its time
 * from its own start: here one comes behind the other.
 */
export class TraceEntries {
  /** When the first CLI was started, in milliseconds since 1970. */
  #start: number | undefined;
  /** What is added to the times of the current CLI. */
  #shift = 0;
  #last = 0;

  take(records: readonly WireRecord[]): readonly WireEntry[] {
    return records.map((record) => ({ at: record.n, entry: this.#entry(record) }));
  }

  #entry({ at, event }: WireRecord): TraceEntry {
    const t = 't' in event && typeof event.t === 'number' ? event.t : undefined;
    this.#start ??= at - (t ?? 0);
    if (event.kind === 'header') this.#shift = Math.max(this.#last, at - this.#start);
    if (t === undefined) return entryOf(event);
    this.#last = Math.max(this.#last, t + this.#shift);
    return { ...entryOf(event), t: t + this.#shift } as TraceEntry;
  }
}

/** A log holds the entries of a recording, but for the text of a line, which is made again here. */
function entryOf(event: LogEvent): TraceEntry {
  if (event.kind === 'line') {
    const { t, from, frame, text } = event;
    const line = frame === undefined ? (text ?? '') : JSON.stringify(frame);
    return traceLine({ kind: 'line', t, from, frame, line });
  }
  // The server writes them as they are in a recording. That nothing is taken out goes without saying on a live wire.
  return (event.kind === 'header' ? { ...event, redacted: undefined } : event) as unknown as TraceEntry;
}
