import type { LogEvent } from '../../../src/entry/remote/contract.js';
import type { TraceEntry } from '../../../src/wire/trace/format.js';
import type { WireEntry } from '../../shared/model/wire-row.js';
import type { WireRecord } from '../model/view.js';

/** Entries about the wire in the form of a recording, as the shared parts take them. */
export function traceEntries(records: readonly WireRecord[]): readonly WireEntry[] {
  return records.map(({ n, event }) => ({ at: n, entry: entryOf(event) }));
}

/** A log holds the entries of a recording, but for the text of a line, which is made again here. */
function entryOf(event: LogEvent): TraceEntry {
  if (event.kind === 'line') {
    const { t, from, frame, text } = event;
    return { kind: 'line', t, from, frame, line: frame === undefined ? (text ?? '') : JSON.stringify(frame) };
  }
  // The server writes them as they are in a recording. That nothing is taken out goes without saying on a live wire.
  return (event.kind === 'header' ? { ...event, redacted: undefined } : event) as unknown as TraceEntry;
}
