import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { TraceEntry } from '../format.js';
import { decodeEntry } from './decode-entry.js';
import { FileLines } from './file-lines.js';
import { notATrace, tooLarge, unreadable } from './trace-errors.js';

/** An entry with its place in the file. */
export interface PlacedEntry {
  /** The line of the file, from 1. */
  readonly at: number;
  /** The entry. */
  readonly entry: TraceEntry;
}

/** A recording: a file by its path, or its text. */
export type TraceSource = string | { readonly text: string };

/**
 * Reads a recording entry by entry, in little memory for any file size. Broken lines are entries too. @throws
 * CoxswainError `TRACE_INVALID` for an empty file or one that does not begin with a header, `TRACE_TOO_NEW` for a newer
 * format version.
 */
export async function* readTrace(source: TraceSource): AsyncGenerator<PlacedEntry, void, undefined> {
  const name = nameOf(source);
  let isEmpty = true;
  for await (const placed of placedEntries(chunksOf(source), 1)) {
    if (isEmpty && placed.entry.kind !== 'header') throw notATrace(name, 'its first line is not a header');
    isEmpty = false;
    yield placed;
  }
  if (isEmpty) throw notATrace(name, 'it is empty');
}

/** A part of a file, from the start of a line. */
export interface TracePart {
  /** The byte where it begins. */
  readonly start: number;
  /** The offset after its last byte. */
  readonly end: number;
  /** The number of its first line. */
  readonly line: number;
}

/** Reads a part of a recording, entry by entry. */
export async function* readTracePart(
  path: string,
  { start, end, line }: TracePart,
): AsyncGenerator<PlacedEntry, void, undefined> {
  if (end > start) yield* placedEntries(chunksOf(path, { start, end: end - 1 }), line);
}

/** How much of a recording may be loaded into memory, where it takes several times its size. */
const MOST_LOADED = 128 * 1024 * 1024;

/**
 * Reads a whole recording into memory.
 * @throws CoxswainError `TRACE_TOO_LARGE` for more than `maxBytes` (default: 128 MiB).
 */
export async function loadTrace(
  source: TraceSource,
  { maxBytes = MOST_LOADED }: { readonly maxBytes?: number | undefined } = {},
): Promise<readonly PlacedEntry[]> {
  const size = await sizeOf(source);
  if (size > maxBytes) throw tooLarge(nameOf(source), size, maxBytes);
  const entries: PlacedEntry[] = [];
  for await (const placed of readTrace(source)) entries.push(placed);
  return entries;
}

/** If the size cannot be read, let reading the file report the problem. */
async function sizeOf(source: TraceSource): Promise<number> {
  if (typeof source !== 'string') return source.text.length;
  return stat(source).then(
    ({ size }) => size,
    () => 0,
  );
}

function nameOf(source: TraceSource): string {
  return typeof source === 'string' ? source : 'The text';
}

async function* placedEntries(
  chunks: Chunks,
  firstLine: number,
): AsyncGenerator<PlacedEntry, void, undefined> {
  let at = firstLine - 1;
  for await (const { text, whole } of numberedLines(chunks)) {
    at += 1;
    if (text.trim() === '') continue;
    const entry = decodeEntry(text);
    yield { at, entry: entry.kind === 'broken' && !whole ? { ...entry, cut: true } : entry };
  }
}

type Chunks = AsyncIterable<Buffer>;

interface FileLine {
  readonly text: string;
  /** Whether the line had an end. */
  readonly whole: boolean;
}

async function* numberedLines(chunks: Chunks): AsyncGenerator<FileLine, void, undefined> {
  const lines = new FileLines();
  for await (const chunk of chunks) {
    for (const text of lines.push(chunk)) yield { text, whole: true };
  }
  for (const text of lines.flush()) yield { text, whole: false };
}

async function* chunksOf(
  source: TraceSource,
  part: { readonly start?: number; readonly end?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  if (typeof source !== 'string') {
    yield Buffer.from(source.text);
    return;
  }
  const stream = createReadStream(source, { highWaterMark: 256 * 1024, ...part });
  try {
    yield* stream;
  } catch (error) {
    throw unreadable(source, error);
  } finally {
    stream.destroy();
  }
}
