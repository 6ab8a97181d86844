import { DEFAULT_MAX_LINE_LENGTH } from '../../protocol/framing.js';
import { ByteLines, type LineBatch } from '../../transport/byte-lines.js';
import type { OnLines } from '../../transport/transport.js';

/** Cuts a copy of a byte stream into lines. */
export class LineTee {
  readonly #onLines: OnLines;
  readonly #lines: ByteLines;

  /** A line that is too long to be kept is told by its length alone. */
  constructor(onLines: OnLines, onTooLong: (length: number) => void) {
    this.#onLines = onLines;
    this.#lines = new ByteLines({ maxLength: DEFAULT_MAX_LINE_LENGTH, onTooLong });
  }

  take(chunk: Buffer): void {
    this.#give(this.#lines.push(chunk));
  }

  /** Gives the last line, if it had no end. */
  end(): void {
    this.#give(this.#lines.flush());
  }

  #give(batches: readonly LineBatch[]): void {
    for (const { lines, text } of batches) if (lines.length > 0) this.#onLines(lines, text);
  }
}
