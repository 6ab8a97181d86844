import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { replaceFileNow } from '../../../wire/files/replace-file.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';

const FORMAT = 'coxswain-manager';
const VERSION = 1;

/** Obsolete lines are removed once they outnumber the valid ones by this many. */
const SLACK = 10_000;

/**
 * Values by key in one file of JSON lines, where the last line for a key counts. Each change is in the file when
 * `set` returns, so a killed host loses nothing that it has confirmed.
 */
export class Journal {
  readonly path: string;
  readonly #replace: (from: string, to: string) => void;
  readonly #values = new Map<string, unknown>();
  #file = -1;
  #size = 0;
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
    const whole = existsSync(path) ? this.#read(readFileSync(path, 'utf8')) : false;
    if (whole) this.#append();
    else this.#rewrite();
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  /** How many lines of the file were skipped, besides an incomplete last one. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** Stores a value; undefined removes the key. @throws CoxswainError `STORE_FAILED`: then nothing has changed. */
  set(key: string, value: unknown): void {
    this.#writeLate();
    this.#write(line(key, value));
    this.#keep(key, value);
    if (this.#lines > 2 * this.#values.size + SLACK) this.#rewrite();
  }

  /**
   * Records something that has already happened. If the disk refuses it, it counts anyway, and is written
   * later.
   */
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

  /** Runs a function and writes all its changes at once. */
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

  /** Changes a value that need not outlive this process; it is written with the next change of its key, or at the end. */
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

  /** Reads the file; returns whether it is intact. A crash can only have damaged its end. */
  #read(text: string): boolean {
    const end = text.lastIndexOf('\n') + 1;
    const [header = '', ...lines] = text.slice(0, end).split('\n');
    if (end > 0) checkHeader(header, this.path);
    lines.pop();
    for (const each of lines) {
      const entry = parse(each);
      if (isEntry(entry)) this.#keep(entry.key, entry.value ?? undefined);
      else this.#unreadable += 1;
    }
    this.#size = Buffer.byteLength(text);
    return end > 0 && end === text.length && this.#lines <= 2 * this.#values.size + SLACK;
  }

  #writeLate(): void {
    if (this.#unwritten.size === 0) return;
    this.#write([...this.#unwritten].map((key) => line(key, this.#values.get(key))).join(''));
    this.#unwritten.clear();
  }

  #append(): void {
    this.#file = openSync(this.path, 'a', 0o600);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
      this.#size += bytes.length;
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
    const entries = [...this.#values].map(([key, value]) => line(key, value));
    const text = `${JSON.stringify({ format: FORMAT, version: VERSION })}\n${entries.join('')}`;
    const before = this.#file;
    try {
      writeFileSync(`${this.path}.new`, text, { mode: 0o600, flush: true });
      this.#close();
      this.#replace(`${this.path}.new`, this.path);
    } catch (error) {
      if (before === -1) throw failed(this.path, error);
      // The old file is still intact, only longer than necessary; the next attempt comes some thousand lines
      // later.
      this.#lines = 0;
      if (this.#file === -1) this.#append();
      return;
    }
    this.#size = Buffer.byteLength(text);
    this.#lines = entries.length;
    this.#unwritten.clear();
    this.#remembered.clear();
    this.#append();
  }
}

function line(key: string, value: unknown): string {
  return `${JSON.stringify({ key, value: value ?? null })}\n`;
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
    throw new CoxswainError(
      'STORE_INVALID',
      `This is not a store of conversations: ${path}. Nothing was changed.`,
    );
  }
  if (header.version > VERSION) {
    throw new CoxswainError(
      'STORE_TOO_NEW',
      `A newer version of Coxswain wrote this store (format ${header.version}, this one reads ${VERSION}): ${path}`,
    );
  }
}

function failed(path: string, cause: unknown): CoxswainError {
  return new CoxswainError('STORE_FAILED', `The store could not be written: ${path}`, { cause });
}
