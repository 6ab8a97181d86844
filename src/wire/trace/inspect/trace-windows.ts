import { type FileHandle, open } from 'node:fs/promises';
import type { TracePart } from '../read/read-trace.js';

/** How much of a recording a page holds at once. */
const WINDOW = 16 * 1024 * 1024;
const CHUNK = 1024 * 1024;
const NEWLINE = 10;

/** Splits a file into windows at line ends; a growing file is continued from where it was left. */
export class TraceWindows {
  readonly #path: string;
  readonly #size: number;
  readonly #done: TracePart[] = [];
  #part = { start: 0, line: 1 };
  /** Where line counting stopped, and how many lines of the open window come before that. */
  #seen = 0;
  #lines = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, size: number = WINDOW) {
    this.#path = path;
    this.#size = size;
  }

  /** All windows of the current file; the last one may still grow. */
  list(): Promise<readonly TracePart[]> {
    // One after another: two scans of the same bytes would count their lines twice.
    const list = this.#last.then(() => this.#list());
    this.#last = list.catch(() => {});
    return list;
  }

  async #list(): Promise<readonly TracePart[]> {
    const file = await open(this.#path);
    try {
      const { size } = await file.stat();
      if (size < this.#seen) this.#forget();
      await this.#scan(file, size);
      return [...this.#done, { ...this.#part, end: size }].filter(({ start, end }) => end > start);
    } finally {
      await file.close();
    }
  }

  async #scan(file: FileHandle, size: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(CHUNK);
    while (this.#seen < size) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, this.#seen);
      if (bytesRead === 0) return;
      this.#take(buffer.subarray(0, bytesRead));
      this.#seen += bytesRead;
    }
  }

  #take(chunk: Buffer): void {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
      this.#lines += 1;
      const end = this.#seen + at + 1;
      if (end - this.#part.start < this.#size) continue;
      this.#done.push({ ...this.#part, end });
      this.#part = { start: end, line: this.#part.line + this.#lines };
      this.#lines = 0;
    }
  }

  /** The file was rotated. */
  #forget(): void {
    this.#done.length = 0;
    this.#part = { start: 0, line: 1 };
    this.#seen = 0;
    this.#lines = 0;
  }
}
