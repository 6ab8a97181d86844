import { isObject } from '../../../src/wire/protocol/frames.js';

/** Makes two runs comparable: ids are numbered in order, times and folders replaced, keys sorted. */
export class Normaliser {
  readonly #names = new Map<string, string>();
  readonly #folder: string;
  /** The folder as transcripts of its project are filed under. */
  readonly #folderName: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#folderName = folder.replaceAll(/[^A-Za-z0-9]/g, '-');
  }

  list(values: readonly unknown[]): readonly unknown[] {
    return values.map((value) => this.value(value));
  }

  value(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return VARYING_TEXT.has(key) ? `<${key}>` : this.#text(value);
    if (typeof value === 'number') return isVarying(key) ? `<${key}>` : value;
    if (Array.isArray(value)) return value.map((item) => this.value(item, key));
    if (value instanceof Error) return this.#error(value);
    if (!isObject(value)) return printable(value);
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, item]) => [this.#text(name), this.value(item, name)]));
  }

  #error(error: Error): unknown {
    const { exitCode, errorClass, errorCode, code } = error as Error & Record<string, unknown>;
    return this.value({
      error: error.message,
      name: error.name,
      ...{ exitCode, errorClass, errorCode, code },
    });
  }

  #text(text: string): string {
    const plain = text.replaceAll(this.#folder, '<folder>').replaceAll(this.#folderName, '<folder name>');
    return plain.replaceAll(IDS, (id) => this.#name(id));
  }

  #name(id: string): string {
    const known = this.#names.get(id) ?? `<id ${this.#names.size + 1}>`;
    this.#names.set(id, known);
    return known;
  }
}

const IDS =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:msg|toolu|req|task)_[0-9A-Za-z]{10,}|[0-9a-f]{8}(?=:\d))/g;
const VARYING_TEXT = new Set([
  'request_id',
  'requestId',
  'timestamp',
  'transcript_path',
  'messaging_socket_path',
  // Whether the CLI is already idle right after a result is a race.
  'session_state',
]);

function isVarying(key: string): boolean {
  return key.endsWith('_ms') || key === 'end_time' || key === 'pid';
}

function printable(value: unknown): unknown {
  if (value === undefined) return '<undefined>';
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
    return `<${typeof value}>`;
  return value instanceof AbortSignal ? `<signal ${value.aborted ? 'aborted' : 'open'}>` : value;
}
