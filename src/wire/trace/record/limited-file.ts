import { closeSync, existsSync, mkdirSync, open, openSync, statSync, write, writeSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFileNow } from '../../files/replace-file.js';
import { errorCode } from '../../util/error-text.js';

/** The size limit of a file, and what happens to its parts. */
export interface LimitedFileOptions {
  /** The file's limit in bytes. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** How many full files to keep when rotating. Default: 1. */
  readonly keep?: number | undefined;
  /**
   * What to do if the file exists: `beside` uses the next free name (`session-2.trace`), `fail` skips the recording,
   * `replace` overwrites the file. Default: `beside`.
   */
  readonly ifExists?: 'beside' | 'fail' | 'replace' | undefined;
}

/** A file that accepts whole lines up to its limit, and can make room by starting a new part. */
export class LimitedFile {
  readonly #options: LimitedFileOptions;
  /** Pipes and devices have no positions, and may block. */
  readonly isRegular: boolean;
  #path: string;
  #fd: number | undefined;
  #position = 0;
  /** Where the lines of this part begin, after the text that starts every part. */
  #start = 0;
  #part = 1;

  constructor(path: string, options: LimitedFileOptions) {
    this.#path = path;
    this.#options = options;
    this.isRegular = isRegular(path);
  }

  /** The path of the file; known once it is open. */
  get path(): string {
    return this.#path;
  }

  get isOpen(): boolean {
    return this.#fd !== undefined;
  }

  /** Opens a regular file before it returns, so that a process that exits right away still has its recording. */
  async open(): Promise<void> {
    if (this.isRegular) this.#openNow();
    else this.#fd = await openLater(this.path, 'w', OWNER_ONLY);
  }

  #openNow(): void {
    const { ifExists = 'beside' } = this.#options;
    if (ifExists === 'beside') ({ path: this.#path, fd: this.#fd } = openFree(this.#path));
    else this.#fd = openInFolder(this.#path, ifExists === 'fail' ? 'wx' : 'w');
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** How many of these bytes fit: whole lines, up to the limit. A line longer than a whole file gets its own. */
  fitting(bytes: Buffer): number {
    const room = (this.#options.maxBytes ?? Number.POSITIVE_INFINITY) - this.#position;
    if (bytes.length <= room) return bytes.length;
    const length = room > 0 ? bytes.lastIndexOf(NEWLINE, room - 1) + 1 : 0;
    return length === 0 && this.#position === this.#start ? bytes.indexOf(NEWLINE) + 1 : length;
  }

  /** Writes at an explicit position, so that an exit in the middle can write the same bytes again. */
  async write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeLater(this.#open, bytes, done, bytes.length - done, this.#at(done));
      done += bytesWritten;
    }
    this.#position += bytes.length;
  }

  /** The synchronous version. */
  writeNow(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#open, bytes, done, bytes.length - done, this.#at(done));
    }
    this.#position += bytes.length;
  }

  /** Renames the full file to `<path>.1`, and earlier parts likewise, and starts a new part. */
  rotate(startOf: (part: number) => string): void {
    this.close();
    const keep = Math.max(1, this.#options.keep ?? 1);
    for (let number = keep - 1; number >= 1; number -= 1) {
      renameIfThere(`${this.path}.${number}`, `${this.path}.${number + 1}`);
    }
    replaceFileNow(this.path, `${this.path}.1`);
    this.#fd = openSync(this.path, 'w', OWNER_ONLY);
    this.#position = 0;
    this.#part += 1;
    this.writeNow(Buffer.from(startOf(this.#part)));
    this.#start = this.#position;
  }

  get #open(): number {
    if (this.#fd === undefined) throw new Error(`${this.path} is not open`);
    return this.#fd;
  }

  #at(done: number): number | null {
    return this.isRegular ? this.#position + done : null;
  }
}

const OWNER_ONLY = 0o600;
const NEWLINE = 10;
const openLater = promisify(open);
const writeLater = promisify(write);

/** A path where nothing exists becomes a regular file. */
function isRegular(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    replaceFileNow(from, to);
  } catch {
    // There are not that many parts yet.
  }
}

/** An opened file and the name that it got. */
interface OpenedFile {
  readonly path: string;
  readonly fd: number;
}

const MOST = 10_000;

/**
 * Creates a file with this name, or with the next free one: `session-2.trace`. Nothing is overwritten, and two
 * concurrent calls get different files. A name also counts as taken if parts of an earlier recording have it.
 */
function openFree(path: string): OpenedFile {
  for (let number = 1; number < MOST; number += 1) {
    const candidate = numberedPath(path, number);
    if (existsSync(`${candidate}.1`)) continue;
    try {
      return { path: candidate, fd: openInFolder(candidate, 'wx') };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${MOST} recordings of this name exist`);
}

function numberedPath(path: string, number: number): string {
  if (number < 2) return path;
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${number}${extension}`);
}

/** Opens a file that only its owner can read, and creates missing folders. */
function openInFolder(path: string, flags: string): number {
  try {
    return openSync(path, flags, OWNER_ONLY);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    makeFolder(dirname(path));
    return openSync(path, flags, OWNER_ONLY);
  }
}

/** Creates a folder and its parents. Node's `recursive` never returns in a place such as /proc. */
function makeFolder(folder: string, canMakeParent = dirname(folder) !== folder): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || !canMakeParent) throw error;
    makeFolder(dirname(folder));
    makeFolder(folder, false);
  }
}
