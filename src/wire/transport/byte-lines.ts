import { Buffer, constants, isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

/** The longest line that is read by default, in UTF-16 code units (64 MiB of ASCII). */
export const DEFAULT_MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** The options of {@link ByteLines}. */
export interface ByteLinesOptions {
  /** Lines longer than this are skipped, in UTF-16 code units. */
  readonly maxLength: number;
  /** Called with the length of each skipped line. */
  readonly onTooLong: (length: number) => void;
}

/** Contiguous lines. */
export interface LineBatch {
  readonly lines: string[];
  /** The same as one string, separated by `\n`; undefined if a line was skipped. */
  readonly text: string | undefined;
}

const LINE_FEED = 0x0a;
/** The maximum number of bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/** Pieces of a line are joined in groups: a line that arrives byte by byte must not cost a list entry per byte. */
const LOT = 1024;

/**
 * Splits bytes into lines at `\n`, which UTF-8 uses for nothing else. Bytes are decoded once their line is complete:
 * pieces of a long line wait outside the heap and are copied once. So a chunk must not be overwritten.
 */
export class ByteLines {
  readonly #options: ByteLinesOptions;
  readonly #maxBytes: number;
  #lots: Buffer[] = [];
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Counts the code units of a skipped line. */
  #skipped: { readonly decoder: StringDecoder; length: number } | undefined;

  constructor(options: ByteLinesOptions) {
    this.#options = options;
    this.#maxBytes = Math.min(options.maxLength * BYTES_PER_UNIT, constants.MAX_STRING_LENGTH);
  }

  /** Takes the next bytes and returns the lines they complete: one that began earlier, and those inside the chunk. */
  push(chunk: Buffer): LineBatch[] {
    const first = chunk.indexOf(LINE_FEED);
    if (first < 0) {
      this.#keep(chunk);
      return [];
    }
    const end = lastFeed(chunk, first);
    const batches: LineBatch[] = [];
    let start = 0;
    if (this.#bytes > 0) {
      batches.push(this.#finish(chunk.subarray(0, first)));
      start = first + 1;
    }
    if (start <= end) batches.push(this.#batch(decoded(chunk.subarray(start, end))));
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1));
    return batches;
  }

  /** Ends the bytes: returns the last line if it had no newline. */
  flush(): LineBatch[] {
    return this.#bytes > 0 ? [this.#finish(Buffer.alloc(0))] : [];
  }

  /** The lines of a text, without those that are too long. */
  #batch(text: string): LineBatch {
    const all = text.split('\n');
    // No line is longer than the whole text.
    const lines = text.length <= this.#options.maxLength ? all : all.filter((line) => this.#fits(line));
    return { lines, text: lines.length === all.length ? text : undefined };
  }

  #fits(line: string): boolean {
    const fits = line.length <= this.#options.maxLength;
    if (!fits) this.#options.onTooLong(line.length);
    return fits;
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

  /** The current line is too long in any case: from here on it is only counted. */
  #skip(): void {
    const decoder = new StringDecoder('utf8');
    let length = 0;
    for (const piece of [...this.#lots, ...this.#pieces]) length += decoder.write(piece).length;
    this.#skipped = { decoder, length };
    this.#lots = [];
    this.#pieces = [];
  }

  /** Completes the current line with its last piece. */
  #finish(last: Buffer): LineBatch {
    this.#keep(last);
    const [lots, pieces, bytes, skipped] = [this.#lots, this.#pieces, this.#bytes, this.#skipped];
    this.#lots = [];
    this.#pieces = [];
    this.#bytes = 0;
    this.#skipped = undefined;
    if (skipped === undefined) return this.#batch(decoded(joined([...lots, ...pieces], bytes)));
    this.#options.onTooLong(skipped.length + skipped.decoder.end().length);
    return { lines: [], text: undefined };
  }
}

/** Most bytes are ASCII: checking that and copying takes less time than decoding. */
function decoded(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Where the pieces of a line are joined, one line at a time: new memory for each would cost more than copying. */
const JOINED_BYTES = 256 * 1024;
let workplace: Buffer | undefined;

/** Joins pieces; the result is valid until the next call. */
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

/** The last line feed. Searching backwards is slow: with long lines a forward search is faster. */
function lastFeed(chunk: Buffer, first: number): number {
  const near = Math.max(first, chunk.length - NEAR_END);
  const found = chunk.subarray(near).lastIndexOf(LINE_FEED);
  if (found >= 0) return near + found;
  let last = first;
  for (let next = first; next >= 0; next = chunk.indexOf(LINE_FEED, next + 1)) last = next;
  return last;
}
