import type { LogEvent } from '../../../src/entry/remote/contract.js';
import { type TraceEntry, traceLine } from '../../../src/wire/trace/format.js';
import type { WireEntry } from '../../shared/model/wire-row.js';
import type { WireRecord } from '../model/view.js';

/**
 * Wire entries in recording format, as the shared components take them. Each CLI of a session counts time from its own
 * start; here they follow each other.
 */
export class TraceEntries {
  /** When the first CLI was started, in milliseconds since 1970. */
  #start: number | undefined;
  /** The offset for the current CLI's times. */
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

/** A log contains recording entries without the text of a line, which is rebuilt here. */
function entryOf(event: LogEvent): TraceEntry {
  if (event.kind === 'line') {
    const { t, from, frame, text } = event;
    const line = frame === undefined ? (text ?? '') : JSON.stringify(frame);
    return traceLine({ kind: 'line', t, from, frame, line });
  }
  // The server writes them as in a recording. A live wire is never redacted.
  return (event.kind === 'header' ? { ...event, redacted: undefined } : event) as unknown as TraceEntry;
}
