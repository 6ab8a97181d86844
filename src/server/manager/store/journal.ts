import { constants } from 'node:buffer';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { replaceFileNow } from '../../../wire/files/replace-file.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { ByteLines } from '../../../wire/transport/byte-lines.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { storeClosed, type ValueStore } from './value-store.js';

const FORMAT = 'coxswain-manager';
const VERSION = 1;
/** How every store begins. */
const HEADER = JSON.stringify({ format: FORMAT }).slice(0, -1);

/** Obsolete lines are removed once they outnumber the valid ones by this many. */
const SLACK = 10_000;

/** The file is also rewritten when it is longer than twice its last rewritten length and this many bytes. */
const SLACK_BYTES = 64 * 2 ** 20;

/** The file is read and written in pieces: all of it may be longer than the longest string. */
const PIECE_BYTES = 2 ** 20;

/**
 * Values by key in one file of JSON lines, where the last line for a key counts. Each change is in the file when
 * `set` returns, so a killed host loses nothing that it has confirmed.
 */
export class Journal implements ValueStore {
  readonly path: string;
  readonly #replace: (from: string, to: string) => void;
  readonly #values = new Map<string, unknown>();
  #file = -1;
  #size = 0;
  /** The length of the file after it was last rewritten; 0 until then. */
  #rewritten = 0;
  #lines = 0;
  #unreadable = 0;
  #together = false;
  /** Keys whose value is not on disk yet. */
  readonly #unwritten = new Set<string>();
  /** Keys whose value on disk is good enough if this process is killed. */
  readonly #remembered = new Set<string>();

  /** @throws CoxswainError `STORE_INVALID` for a foreign file, `STORE_TOO_NEW` for one from a newer version. */
  constructor(path: string, replace: (from: string, to: string) => void = replaceFileNow) {
    this.path = path;
    this.#replace = replace;
    const isIntact = existsSync(path) && this.#read();
    if (isIntact) this.#append();
    if (!isIntact || this.#isTooLong) this.#rewrite();
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  /** How many lines of the file were skipped, besides an incomplete last one. */
  get unreadable(): number {
    return this.#unreadable;
  }

  set(key: string, value: unknown): void {
    if (this.#file === -1) throw storeClosed();
    this.#writeLate();
    this.#write([[key, value]]);
    this.#keep(key, value);
    if (this.#isTooLong) this.#rewrite();
  }

  note(key: string, value: unknown): void {
    if (this.#together) {
      this.#keep(key, value);
      this.#unwritten.add(key);
      return;
    }
    try {
      this.set(key, value);
    } catch {
      this.#keep(key, value);
      this.#unwritten.add(key);
    }
  }

  together(work: () => void): void {
    this.#together = true;
    try {
      work();
    } finally {
      this.#together = false;
    }
    try {
      this.#writeLate();
    } catch {
      // If the disk refuses it, it is written later.
    }
  }

  /** Written with the next change of its key, or at the end. */
  remember(key: string, value: unknown): void {
    this.#values.set(key, value);
    this.#remembered.add(key);
  }

  close(): void {
    if (this.#file === -1) return;
    try {
      for (const key of this.#remembered) this.#unwritten.add(key);
      this.#writeLate();
      fsyncSync(this.#file);
    } catch {
      // The disk is still full; the next manager finds what was written before.
    }
    this.#close();
  }

  #keep(key: string, value: unknown): void {
    this.#lines += 1;
    this.#remembered.delete(key);
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  /** Whether obsolete lines take too much of the file, by their number or by their bytes. */
  get #isTooLong(): boolean {
    return this.#lines > 2 * this.#values.size + SLACK || this.#size > 2 * this.#rewritten + SLACK_BYTES;
  }

  /** Reads the file; returns whether it is intact. A crash can only have damaged its end. */
  #read(): boolean {
    const lines = linesOf(this.path, {
      onPiece: (bytes) => (this.#size += bytes),
      onTooLong: () => (this.#unreadable += 1),
    });
    const header = lines.next();
    if (header.done === true) {
      if (header.value !== undefined) this.#checkTorn(header.value);
      return false;
    }
    checkHeader(header.value, this.path);
    for (;;) {
      const next = lines.next();
      if (next.done === true) return next.value === undefined;
      const entry = parse(next.value);
      if (isEntry(entry)) this.#keep(entry.key, entry.value ?? undefined);
      else this.#unreadable += 1;
    }
  }

  /** A file that is only a part of its first line: every value is lost. */
  #checkTorn(text: string): void {
    if (!HEADER.startsWith(text) && !text.startsWith(HEADER)) throw foreign(this.path);
    this.#unreadable += 1;
  }

  #writeLate(): void {
    if (this.#unwritten.size === 0) return;
    this.#write([...this.#unwritten].map((key) => [key, this.#values.get(key)]));
    this.#unwritten.clear();
  }

  #append(): void {
    this.#file = openSync(this.path, 'a', 0o600);
  }

  #write(entries: Iterable<Entry>): void {
    try {
      this.#size += writeEntries(this.#file, entries);
    } catch (error) {
      this.#undo();
      throw failed(this.path, error);
    }
  }

  /** A full disk may have accepted half a line: the next line must not be appended to it. */
  #undo(): void {
    try {
      ftruncateSync(this.#file, this.#size);
    } catch {
      // The file cannot be written at all; the caller gets an error anyway.
    }
  }

  /** Windows does not replace open files. */
  #close(): void {
    if (this.#file !== -1) closeSync(this.#file);
    this.#file = -1;
  }

  /** Writes the valid lines to a new file, and replaces the old one with it. */
  #rewrite(): void {
    const before = this.#file;
    let bytes: number;
    try {
      bytes = writeWhole(`${this.path}.new`, this.#values);
      this.#close();
      this.#replace(`${this.path}.new`, this.path);
    } catch (error) {
      if (before === -1) throw failed(this.path, error);
      // The old file is still intact, only longer than necessary; the next attempt comes some thousand lines or
      // some megabytes later.
      this.#lines = 0;
      this.#rewritten = this.#size;
      if (this.#file === -1) this.#append();
      return;
    }
    this.#size = bytes;
    this.#rewritten = bytes;
    this.#lines = this.#values.size;
    this.#unwritten.clear();
    this.#remembered.clear();
    this.#append();
  }
}

type Entry = readonly [key: string, value: unknown];

/** The complete lines of a file, read in pieces; returns what follows the last one, if anything does. */
function* linesOf(
  path: string,
  { onPiece, onTooLong }: { readonly onPiece: (bytes: number) => void; readonly onTooLong: () => void },
): Generator<string, string | undefined, undefined> {
  const lines = new ByteLines({ maxLength: constants.MAX_STRING_LENGTH, onTooLong });
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const bytes = readSync(file, piece);
      if (bytes === 0) return lines.flush()[0]?.lines.join('');
      onPiece(bytes);
      for (const batch of lines.push(piece.subarray(0, bytes))) yield* batch.lines;
    }
  } finally {
    closeSync(file);
  }
}

/** Writes a new file with these entries; returns its length in bytes. */
function writeWhole(path: string, entries: Iterable<Entry>): number {
  const file = openSync(path, 'w', 0o600);
  try {
    const header = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`;
    const bytes = writeAll(file, header) + writeEntries(file, entries);
    fsyncSync(file);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Writes a line for each entry, many at once; returns how many bytes. */
function writeEntries(file: number, entries: Iterable<Entry>): number {
  let bytes = 0;
  let text = '';
  for (const [key, value] of entries) {
    text += `${JSON.stringify({ key, value: value ?? null })}\n`;
    if (text.length < PIECE_BYTES) continue;
    bytes += writeAll(file, text);
    text = '';
  }
  return bytes + writeAll(file, text);
}

function writeAll(file: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  return bytes.length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is { readonly key: string; readonly value: unknown } {
  return isObject(value) && typeof value.key === 'string';
}

function checkHeader(text: string, path: string): void {
  const parsed = parse(text);
  const header = isObject(parsed) ? parsed : undefined;
  if (header?.format !== FORMAT || typeof header.version !== 'number') {
    throw foreign(path);
  }
  if (header.version > VERSION) {
    throw new CoxswainError(
      'STORE_TOO_NEW',
      `A newer version of Coxswain wrote this store (format ${header.version}, this one reads ${VERSION}): ${path}`,
    );
  }
}

function foreign(path: string): CoxswainError {
  const message = `This is not a store of conversations: ${path}. Nothing was changed.`;
  return new CoxswainError('STORE_INVALID', message);
}

function failed(path: string, cause: unknown): CoxswainError {
  return new CoxswainError('STORE_FAILED', `The store could not be written: ${path} (${errorText(cause)})`, {
    cause,
  });
}
