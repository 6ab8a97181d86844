import { isObject } from '../../../src/wire/protocol/frames.js';
import { parseFilter, type RowFilter } from './row-filter.js';
import type { WireSnapshot } from './wire-log.js';
import { frameOf, type WireRow } from './wire-row.js';

/** One line of the list: a row, or a run of partial messages. */
export interface ListItem {
  readonly row: WireRow;
  /** How many rows it represents. */
  readonly count: number;
  /** The last of them. */
  readonly last: WireRow;
}

/** What a {@link RowList} shows. */
export interface RowListOptions {
  readonly filter: string;
  /** Whether partial messages are shown as one item. */
  readonly fold: boolean;
}

/** The rows that match a filter; it continues where it left off when more rows arrive. */
export class RowList {
  readonly filter: RowFilter;
  readonly #fold: boolean;
  #items: ListItem[] = [];
  #seen = 0;
  #version = -1;
  #generation = -1;

  constructor({ filter, fold }: RowListOptions) {
    this.filter = parseFilter(filter);
    this.#fold = fold;
  }

  /** Catches up with the log; returns a new list whenever anything changed. */
  update(snapshot: WireSnapshot): readonly ListItem[] {
    if (snapshot.version === this.#version) return this.#items;
    const anew = this.filter.changes || snapshot.generation !== this.#generation;
    this.#items = anew ? [] : [...this.#items];
    if (anew) this.#seen = 0;
    for (; this.#seen < snapshot.rows.length; this.#seen += 1) this.#take(snapshot, this.#seen);
    this.#version = snapshot.version;
    this.#generation = snapshot.generation;
    return this.#items;
  }

  #take({ rows, exchanges, findingsAt }: WireSnapshot, index: number): void {
    const row = rows[index];
    if (row === undefined) return;
    const context = { exchange: exchanges.get(index), isMistake: findingsAt.has(row.at) };
    if (!this.filter.fits(row, context)) return;
    const before = this.#items.at(-1);
    if (this.#fold && before !== undefined && isPieceOf(before, row)) {
      this.#items[this.#items.length - 1] = { ...before, count: before.count + 1, last: row };
    } else this.#items.push({ row, count: 1, last: row });
  }
}

/** The index of the item that is or contains the row at `at`, or -1; items are ordered. */
export function placeOf(items: readonly ListItem[], at: number): number {
  let [low, high] = [0, items.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined) return -1;
    if (item.last.at < at) low = middle + 1;
    else if (item.row.at > at) high = middle - 1;
    else return middle;
  }
  return -1;
}

/** The joined text of a run of partial messages, up to about `most` characters. */
export function joinedText(
  rows: readonly WireRow[],
  { row, last }: ListItem,
  most = Number.POSITIVE_INFINITY,
): string {
  let text = '';
  for (let index = row.index; index <= last.index && text.length < most; index += 1) {
    const piece = rows[index];
    if (piece !== undefined && pieceKey(piece) === pieceKey(row)) text += pieceText(piece);
  }
  return text;
}

function isPieceOf({ last }: ListItem, row: WireRow): boolean {
  const key = pieceKey(row);
  return key !== undefined && pieceKey(last) === key && last.index === row.index - 1;
}

/** What parts of the same text have in common. */
function pieceKey(row: WireRow): string | undefined {
  if (row.type !== 'stream_event') return undefined;
  const { event, parent_tool_use_id: parent } = frameOf(row) ?? {};
  if (!isObject(event) || event.type !== 'content_block_delta' || !isObject(event.delta)) return undefined;
  return `${String(parent)} ${String(event.index)} ${String(event.delta.type)}`;
}

function pieceText(row: WireRow): string {
  const event = frameOf(row)?.event;
  const delta = isObject(event) && isObject(event.delta) ? event.delta : {};
  return String(delta.text ?? delta.thinking ?? delta.partial_json ?? '');
}
