import { Buffer, constants, isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

/** What {@link ByteLines} can be told. */
export interface ByteLinesOptions {
  /** Lines longer than this are skipped, in UTF-16 code units. */
  readonly maxLength: number;
  /** Told the length of each skipped line, once its end was seen. */
  readonly onTooLong: (length: number) => void;
}

/** Lines that came together. */
export interface LineBatch {
  readonly lines: string[];
  /** The same in one piece, divided by `\n`; undefined if there are none, or one was skipped. */
  readonly text: string | undefined;
}

const LINE_FEED = 0x0a;
/** No character takes more bytes than this for each of its UTF-16 code units. */
const BYTES_PER_UNIT = 3;
/** Pieces of a line are put together in lots: one that comes byte by byte must not cost a list entry a byte. */
const LOT = 1024;

/**
 * Cuts bytes into lines at `\n` alone, which UTF-8 uses for nothing else. Bytes become text when their line is whole:
 * pieces of a long line wait outside the heap, and are copied once. So a chunk must not be written over.
 */
export class ByteLines {
  readonly #options: ByteLinesOptions;
  readonly #maxBytes: number;
  #lots: Buffer[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Counts the code units of a line that is skipped. */
  #skipped: { readonly decoder: StringDecoder; length: number } | undefined;

  constructor(options: ByteLinesOptions) {
    this.#options = options;
    this.#maxBytes = Math.min(options.maxLength * BYTES_PER_UNIT, constants.MAX_STRING_LENGTH);
  }

  /** Takes the next bytes and returns the lines they complete. */
  push(chunk: Buffer): LineBatch {
    const first = chunk.indexOf(LINE_FEED);
    if (first < 0) {
      this.#keep(chunk);
      return { lines: [], text: undefined };
    }
    const end = lastFeed(chunk, first);
    const lines: string[] = [];
    let start = 0;
    if (this.#bytes > 0) {
      this.#finish(chunk.subarray(0, first), lines);
      start = first + 1;
    }
    const rest = start <= end ? textOf(chunk.subarray(start, end)) : undefined;
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1));
    return rest === undefined ? { lines, text: lines[0] } : this.#cut(rest, lines, start > 0);
  }

  /** Ends the bytes: returns the last line if it had no newline. */
  flush(): LineBatch {
    const lines: string[] = [];
    if (this.#bytes > 0) this.#finish(Buffer.alloc(0), lines);
    return { lines, text: lines[0] };
  }

  /** Adds the whole lines of a text to the one that was finished before it, if there was one. */
  #cut(text: string, lines: string[], finished: boolean): LineBatch {
    const before = lines[0];
    const pieces = text.split('\n');
    for (const line of pieces) this.#add(line, lines);
    // Without those that were skipped it would be another text.
    if (lines.length < pieces.length + (finished ? 1 : 0)) return { lines, text: undefined };
    return { lines, text: finished ? `${before}\n${text}` : text };
  }

  #add(line: string, lines: string[]): void {
    if (line.length > this.#options.maxLength) this.#options.onTooLong(line.length);
    else lines.push(line);
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#skipped !== undefined) {
      this.#skipped.length += this.#skipped.decoder.write(piece).length;
      return;
    }
    this.#pieces.push(piece);
    if (this.#pieces.length === LOT) {
      this.#lots.push(Buffer.concat(this.#pieces));
      this.#pieces = [];
    }
    if (this.#bytes > this.#maxBytes) this.#skip();
  }

  /** The line under way is too long whatever comes: from here on it is only counted. */
  #skip(): void {
    const decoder = new StringDecoder('utf8');
    let length = 0;
    for (const piece of [...this.#lots, ...this.#pieces]) length += decoder.write(piece).length;
    this.#skipped = { decoder, length };
    this.#lots = [];
    this.#pieces = [];
  }

  /** Completes the line under way with its last piece. */
  #finish(last: Buffer, lines: string[]): void {
    this.#keep(last);
    if (this.#skipped === undefined) {
      this.#add(textOf(joined([...this.#lots, ...this.#pieces], this.#bytes)), lines);
    } else {
      this.#options.onTooLong(this.#skipped.length + this.#skipped.decoder.end().length);
    }
    this.#lots = [];
    this.#pieces = [];
    this.#bytes = 0;
    this.#skipped = undefined;
  }
}

/** Most bytes are ASCII: to find that out and to copy them takes less time than to decode them. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Where the pieces of a line are joined, one line at a time: new memory for each would cost more than the copying. */
const JOINED_BYTES = 256 * 1024;
let workplace: Buffer | undefined;

/** Joins pieces; what it gives back is good until it is called again. */
function joined(pieces: readonly Buffer[], bytes: number): Buffer {
  if (bytes > JOINED_BYTES) return Buffer.concat(pieces, bytes);
  workplace ??= Buffer.allocUnsafeSlow(JOINED_BYTES);
  let length = 0;
  for (const piece of pieces) {
    workplace.set(piece, length);
    length += piece.length;
  }
  return workplace.subarray(0, length);
}

/** How much of the end of a chunk is searched backwards. */
const NEAR_END = 2_048;

/** The last line feed. Searching backwards is slow: where lines are long it is quicker to go through them. */
function lastFeed(chunk: Buffer, first: number): number {
  const near = Math.max(first, chunk.length - NEAR_END);
  const found = chunk.subarray(near).lastIndexOf(LINE_FEED);
  if (found >= 0) return near + found;
  let last = first;
  for (let next = first; next >= 0; next = chunk.indexOf(LINE_FEED, next + 1)) last = next;
  return last;
}
