import { type FileHandle, open } from 'node:fs/promises';
import { filledStringIn, isObject, type WireObject } from '../../wire/protocol/frames.js';

/** How much of each end of a transcript is read; the CLI repeats what matters near the end. */
const END_BYTES = 64 * 1024;
/** How far to search for the first prompt when it is not in the head: a pasted image can come before it. */
const FAR_BYTES = 1024 * 1024;
/** How far to read a user's line that starts before that: pasted images make it long. */
const LONGEST_BYTES = 64 * FAR_BYTES;

/** Reads some bytes of a file; counted by tests. */
export type ReadBytes = (handle: FileHandle, from: number, length: number) => Promise<Buffer>;

/** The two ends of a transcript, as whole lines in order. */
export class TranscriptEnds {
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly size: number;
  readonly #head: readonly string[];
  readonly #tail: readonly string[];

  constructor(facts: { modified: number; size: number }, head: readonly string[], tail: readonly string[]) {
    this.modified = facts.modified;
    this.size = facts.size;
    this.#head = head;
    this.#tail = tail;
  }

  /** The entries from the start until `enough` returns true; for a long transcript, only those in the head. */
  fromStart(enough: (entry: WireObject) => boolean): void {
    for (const line of this.#head) {
      const entry = parsed(line);
      if (entry !== undefined && enough(entry)) return;
    }
  }

  /** The entries of some types, in order; other lines are not parsed. */
  ofTypes(mark: RegExp): readonly WireObject[] {
    const lines = [...this.#head, ...this.#tail].filter((line) => mark.test(line));
    return lines.map(parsed).filter((entry) => entry !== undefined);
  }

  /** The last matching entry whose line contains a mark. */
  last(mark: string, fits: (entry: WireObject) => boolean): WireObject | undefined {
    for (const line of [...this.#head, ...this.#tail].reverse()) {
      const entry = line.includes(mark) ? parsed(line) : undefined;
      if (entry !== undefined && fits(entry)) return entry;
    }
    return undefined;
  }

  /** The first string under a top-level key of an entry. */
  first(key: string): string | undefined {
    let found: string | undefined;
    this.fromStart((entry) => {
      found = filledStringIn(entry[key]);
      return found !== undefined;
    });
    return found;
  }
}

/** Reads both ends of a transcript and nothing in between; undefined if it cannot be read. */
export async function readEnds(
  file: string,
  read: ReadBytes = readBytes,
): Promise<TranscriptEnds | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size, mtime } = await handle.stat();
    const facts = { modified: mtime.getTime(), size };
    if (size <= 2 * END_BYTES) return new TranscriptEnds(facts, wholeLines(await read(handle, 0, size)), []);
    const head = await readHead(handle, size, read);
    // The first piece of the tail is an incomplete line. If the two ends overlap, lines appear twice.
    const tail = wholeLines(await read(handle, size - END_BYTES, END_BYTES)).slice(1);
    return new TranscriptEnds(facts, head, tail);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The head, extended until it contains a user's line. */
async function readHead(handle: FileHandle, size: number, read: ReadBytes): Promise<readonly string[]> {
  let head = await read(handle, 0, END_BYTES);
  for (;;) {
    // The last piece is an incomplete line, or empty.
    const lines = wholeLines(head);
    const cut = lines.at(-1) ?? '';
    const whole = lines.slice(0, -1);
    const limit = Math.min(size, USER.test(cut) ? LONGEST_BYTES : FAR_BYTES);
    if (head.length >= limit || whole.some((line) => USER.test(line))) return whole;
    // Twice as much each time, so that a long line is not searched again and again.
    const more = await read(handle, head.length, Math.min(head.length, limit - head.length));
    if (more.length === 0) return whole;
    head = Buffer.concat([head, more]);
  }
}

const USER = /"type":\s*"user"/;

function wholeLines(bytes: Buffer): readonly string[] {
  return bytes.toString('utf8').split('\n');
}

async function readBytes(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** An entry of a transcript; undefined if the line is not one. */
export function parsed(line: string): WireObject | undefined {
  if (line === '') return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
