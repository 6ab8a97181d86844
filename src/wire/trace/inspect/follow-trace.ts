import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Clock, systemClock } from '../../util/clock.js';
import { decodeEntry } from '../read/decode-entry.js';
import { FileLines } from '../read/file-lines.js';
import type { PlacedEntry, TracePart } from '../read/read-trace.js';

/** The options of {@link followTrace}. */
export interface FollowOptions {
  /** Where to begin. Default: at the start. */
  readonly from?: Pick<TracePart, 'start' | 'line'> | undefined;
  /** Stops following; everything in the file by then is still delivered. */
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
}

const CHUNK = 256 * 1024;
/** Some systems do not report changes: there the file is polled this often. */
const LOOK_MS = 500;

/** Reads a recording that is being written, batch by batch, until it is aborted. */
export async function* followTrace(
  path: string,
  options: FollowOptions,
): AsyncGenerator<readonly PlacedEntry[], void, undefined> {
  const { from = { start: 0, line: 1 }, signal, clock = systemClock } = options;
  const changes = new Changes(path, signal, clock);
  let reader = new GrowingFile(path, from);
  try {
    for (;;) {
      // Checked before reading: what is written during the read counts for the next round.
      const isLast = signal.aborted;
      const entries = await reader.read();
      if (entries.length > 0) yield entries;
      else if (await reader.wasReplaced()) {
        await reader.close();
        reader = new GrowingFile(path, { start: 0, line: reader.nextLine });
      } else if (isLast) return;
      else await changes.next();
    }
  } finally {
    changes.stop();
    await reader.close();
  }
}

/** Reads only whole lines of a file, each once. */
class GrowingFile {
  nextLine: number;
  readonly #path: string;
  readonly #buffer = Buffer.allocUnsafe(CHUNK);
  readonly #lines = new FileLines();
  #position: number;
  #file: FileHandle | undefined;

  constructor(path: string, { start, line }: Pick<TracePart, 'start' | 'line'>) {
    this.#path = path;
    this.#position = start;
    this.nextLine = line;
  }

  /** The new lines since the last read, up to a limit; empty if there are none. */
  async read(): Promise<readonly PlacedEntry[]> {
    this.#file ??= await open(this.#path);
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, CHUNK, this.#position);
      if (bytesRead === 0) return [];
      this.#position += bytesRead;
      // A copy, because the buffer is reused for the next read.
      const lines = this.#lines.push(Buffer.from(this.#buffer.subarray(0, bytesRead)));
      if (lines.length > 0) return lines.map((text) => this.#place(text));
    }
  }

  /** Whether the file was replaced or truncated, as when a full recording is rotated. */
  async wasReplaced(): Promise<boolean> {
    const now = await open(this.#path).catch(() => undefined);
    if (now === undefined) return false;
    try {
      const [there, here] = await Promise.all([now.stat(), this.#file?.stat()]);
      return there.size < this.#position || (here !== undefined && here.ino !== there.ino);
    } finally {
      await now.close();
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  #place(text: string): PlacedEntry {
    const at = this.nextLine;
    this.nextLine += 1;
    return { at, entry: decodeEntry(text) };
  }
}

/** Reports when a file may have changed. */
class Changes {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #watcher: FSWatcher | undefined;
  #changed = false;
  #wake = () => {};

  constructor(path: string, signal: AbortSignal, clock: Clock) {
    this.#clock = clock;
    this.#signal = signal;
    this.#watcher = startWatcher(path, () => {
      this.#changed = true;
      this.#wake();
    });
    signal.addEventListener('abort', this.#onAbort);
  }

  /** Resolves at the next change, at the next poll, or when aborted. */
  async next(): Promise<void> {
    if (!this.#changed && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(LOOK_MS, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.#changed = false;
  }

  stop(): void {
    this.#watcher?.close();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#wake();
  }

  readonly #onAbort = (): void => this.#wake();
}

function startWatcher(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(path, { persistent: false }, onChange).on('error', () => {});
  } catch {
    // Without a watcher the file is only polled.
    return undefined;
  }
}
