import type { MsgHdrs } from '@nats-io/transport-node';
import { CoxswainError } from '../../../wire/util/errors.js';
import { fileLine, type LogEntry, readFileLine } from '../../console/log/entry.js';
import type { Engine } from '../engine/engine.js';

/** The format of stored logs; readers refuse newer ones. */
const FORMAT = 1;
/** The maximum size of the lines in one message; a longer single line becomes a blob. */
const MOST_BYTES = 512 * 1024;
/** The share of the engine's maximum message size reserved for headers and subjects. */
const HEAD_BYTES = 16 * 1024;

/** Several entries of a log, as one message of the engine. */
export interface Batch {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** A batch, as the engine has it. */
export interface StoredBatch {
  readonly text: string;
  readonly headers: MsgHdrs | undefined;
  readonly time: Date;
}

/** The maximum length of a text in one message. */
export function mostBytes({ connection }: Engine): number {
  return Math.min(MOST_BYTES, (connection.info?.max_payload ?? MOST_BYTES) - HEAD_BYTES);
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
export function readBatch({ text, headers, time }: StoredBatch): readonly LogEntry[] {
  if (isNewer(headers)) {
    const note = JSON.stringify({ kind: 'note', level: 'warning', code: 'STORE_TOO_NEW', text: TOO_NEW });
    return [{ n: numbersOf(headers).last, at: time.getTime(), rest: note.slice(1) }];
  }
  return text.split('\n').flatMap((line) => readFileLine(line) ?? []);
}

/** @throws CoxswainError `STORE_TOO_NEW` for a batch in a newer format: a worker must not go on from there. */
export function checkFormat(headers: MsgHdrs | undefined): void {
  if (isNewer(headers)) throw new CoxswainError('STORE_TOO_NEW', TOO_NEW);
}

function isNewer(headers: MsgHdrs | undefined): boolean {
  return Number(headers?.get('Cox-Format')) > FORMAT;
}

/** Metadata of a batch. */
export function batchHeaders({ clients }: Engine, { first, last }: Batch): MsgHdrs {
  const headers = clients.core.headers();
  headers.set('Cox-Format', String(FORMAT));
  headers.set('Cox-First', String(first));
  headers.set('Cox-Last', String(last));
  return headers;
}

/** The first and last number of a batch. */
export function numbersOf(headers: MsgHdrs | undefined): { readonly first: number; readonly last: number } {
  return { first: Number(headers?.get('Cox-First')), last: Number(headers?.get('Cox-Last')) };
}
