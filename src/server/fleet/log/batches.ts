import { CoxswainError } from '../../../wire/util/errors.js';
import { fileLine, type LogEntry, readFileLine } from '../../console/log/entry.js';
import type { BatchHead, Stored } from '../engine/engine.js';

/** The format of stored logs; readers refuse newer ones. */
const FORMAT = 1;

/** Several entries of a log, as one message of the engine. */
export interface Batch {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** Combines as many entries as fit into one message, and at least one. */
export function makeBatch(entries: readonly LogEntry[], most: number): Batch {
  const first = entries[0]?.n ?? 0;
  let [text, bytes, last] = ['', 0, first];
  for (const entry of entries) {
    const line = fileLine(entry);
    bytes += Buffer.byteLength(line);
    if (text !== '' && bytes > most) break;
    text += line;
    last = entry.n;
  }
  return { first, last, text };
}

const TOO_NEW = 'A newer version of Coxswain wrote this part of the conversation. Upgrade to read it.';

/** The entries of a batch. A batch in a newer format is not misread: a notice stands for it. */
export function readBatch({ text, head, at }: Stored): readonly LogEntry[] {
  if (isNewer(head)) {
    const note = JSON.stringify({ kind: 'note', level: 'warning', code: 'STORE_TOO_NEW', text: TOO_NEW });
    return [{ n: head?.last ?? 0, at, rest: note.slice(1) }];
  }
  const entries = text.split('\n').flatMap((line) => readFileLine(line) ?? []);
  const { series } = head ?? {};
  return series === undefined ? entries : entries.map((entry) => ({ ...entry, series }));
}

/** @throws CoxswainError `STORE_TOO_NEW` for a batch in a newer format: a worker must not go on from there. */
export function checkFormat(head: BatchHead | undefined): void {
  if (isNewer(head)) throw new CoxswainError('STORE_TOO_NEW', TOO_NEW);
}

function isNewer(head: BatchHead | undefined): boolean {
  return (head?.format ?? 0) > FORMAT;
}

/** What can be known of a batch without reading it. */
export function headOf({ first, last }: Batch, chain: Pick<BatchHead, 'series' | 'after'>): BatchHead {
  return { format: FORMAT, first, last, ...chain };
}
