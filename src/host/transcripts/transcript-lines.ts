import type { FileHandle } from 'node:fs/promises';

/** A line of a transcript with its place in the file. */
export interface TranscriptLine {
  /** From 1. */
  readonly number: number;
  /** The offset of its first byte. */
  readonly at: number;
  /** Its length in bytes, without the newline. */
  readonly bytes: number;
  /** Undefined for a line over the limit. */
  readonly text: string | undefined;
  /** Whether it ends with a newline; the last line may be truncated. */
  readonly isEnded: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Longer lines are skipped, so that one of them cannot fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads a file line by line up to its current size. At most one chunk and one line are in memory. */
export async function* readLines(
  handle: FileHandle,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<TranscriptLine, void, undefined> {
  const { size } = await handle.stat();
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
  const line = new LineUnderWay(maxLineBytes);
  for (let at = 0; at < size; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, size - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    yield* line.take(chunk.subarray(0, bytesRead));
  }
  yield* line.rest();
}

/** Collects the bytes of a line that spans chunks. */
class LineUnderWay {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #at = 0;
  #number = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *take(chunk: Buffer): Generator<TranscriptLine, void, undefined> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      yield this.#finish(true);
      from = end + 1;
    }
    // The chunk is reused for the next read, so what is kept of it must be copied.
    this.#keep(Buffer.from(chunk.subarray(from)));
  }

  *rest(): Generator<TranscriptLine, void, undefined> {
    if (this.#bytes > 0) yield this.#finish(false);
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #finish(isEnded: boolean): TranscriptLine {
    const bytes = this.#bytes;
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const text = bytes > this.#maxBytes ? undefined : (whole?.toString('utf8') ?? '');
    const line = { number: this.#number, at: this.#at, bytes, text, isEnded };
    this.#pieces = [];
    this.#at += bytes + 1;
    this.#number += 1;
    this.#bytes = 0;
    return line;
  }
}
