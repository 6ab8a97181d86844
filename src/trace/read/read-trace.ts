import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { DEFAULT_MAX_LINE_LENGTH, LineSplitter } from '../../protocol/framing.js';
import type { TraceEntry } from '../format.js';
import { decodeEntry } from './decode-entry.js';
import { notATrace, unreadable } from './trace-errors.js';

/** An entry with its place in the file. */
export interface PlacedEntry {
  /** The line of the file, from 1. */
  readonly at: number;
  readonly entry: TraceEntry;
}

/** A recording: a file by its path, or its text. */
export type TraceSource = string | { readonly text: string };

/**
 * Reads a recording entry by entry; a file of any size takes little memory. Broken lines are entries too.
 * @throws CoxswainError `TRACE_INVALID` for an empty file or one that does not begin with a header,
 * `TRACE_TOO_NEW` for one of a later version.
 */
export async function* readTrace(source: TraceSource): AsyncGenerator<PlacedEntry, void, undefined> {
  const name = typeof source === 'string' ? source : 'The text';
  let at = 0;
  for await (const { text, whole } of numberedLines(source)) {
    at += 1;
    if (text.trim() === '') continue;
    const entry = decodeEntry(text);
    if (at === 1 && entry.kind !== 'header') throw notATrace(name, 'its first line is no header');
    yield { at, entry: entry.kind === 'broken' && !whole ? { ...entry, cut: true } : entry };
  }
  if (at === 0) throw notATrace(name, 'it is empty');
}

/** Reads a whole recording into memory. */
export async function loadTrace(source: TraceSource): Promise<readonly PlacedEntry[]> {
  const entries: PlacedEntry[] = [];
  for await (const placed of readTrace(source)) entries.push(placed);
  return entries;
}

interface FileLine {
  readonly text: string;
  /** Whether the line had an end. */
  readonly whole: boolean;
}

async function* numberedLines(source: TraceSource): AsyncGenerator<FileLine, void, undefined> {
  let skipped = 0;
  const splitter = new LineSplitter({
    // The longest line of the wire, and what stands around it.
    maxLength: DEFAULT_MAX_LINE_LENGTH + 1_024,
    onTooLong: () => {
      skipped += 1;
    },
  });
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunksOf(source)) {
    for (const text of splitter.push(typeof chunk === 'string' ? chunk : decoder.write(chunk))) {
      yield { text, whole: true };
    }
    for (; skipped > 0; skipped -= 1) yield { text: '(a line that is too long)', whole: true };
  }
  for (const text of [...splitter.push(decoder.end()), ...splitter.flush()]) yield { text, whole: false };
}

async function* chunksOf(source: TraceSource): AsyncGenerator<Buffer | string, void, undefined> {
  if (typeof source !== 'string') {
    yield source.text;
    return;
  }
  const stream = createReadStream(source, { highWaterMark: 256 * 1024 });
  try {
    yield* stream;
  } catch (error) {
    throw unreadable(source, error);
  } finally {
    stream.destroy();
  }
}
