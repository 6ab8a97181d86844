import { type Exchange, partnerOf } from '../../../../console-ui/shared/model/exchanges.js';
import type { WireRow } from '../../../../console-ui/shared/model/wire-row.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import { type TraceLine, traceLine } from '../../../../src/wire/trace/format.js';

/** A line of the CLI. */
export function cliSays(frame: WireObject, t = 0): TraceLine {
  return traceLine({ kind: 'line', t, from: 'cli', line: JSON.stringify(frame), frame });
}

/** A line of the host. */
export function hostSays(frame: WireObject, t = 0): TraceLine {
  return traceLine({ kind: 'line', t, from: 'host', line: JSON.stringify(frame), frame });
}

/** The label of each row's partner. */
export function partnerLabels(rows: readonly WireRow[], exchanges: ReadonlyMap<number, Exchange>) {
  return rows.map((row) => partnerOf(row, exchanges.get(row.index))?.label);
}
