import { ByteLines, DEFAULT_MAX_LINE_LENGTH, type LineBatch } from '../../transport/byte-lines.js';

/** The longest wire line, with its prefix. */
const MAX_LENGTH = DEFAULT_MAX_LINE_LENGTH + 1_024;

/** Replaces a line that is too long: line numbers stay correct, and the line is not an entry. */
const TOO_LONG = '(a line that is too long)';

/** Splits the bytes of a recording into lines. A chunk must not be overwritten. */
export class FileLines {
  readonly #lines: ByteLines;
  #skipped = 0;

  constructor(maxLength: number = MAX_LENGTH) {
    this.#lines = new ByteLines({
      maxLength,
      onTooLong: () => {
        this.#skipped += 1;
      },
    });
  }

  /** Takes the next bytes and returns the lines they complete; those that are too long come last. */
  push(chunk: Buffer): readonly string[] {
    return this.#withSkipped(this.#lines.push(chunk));
  }

  /** Ends the bytes: returns the last line if it had no newline. */
  flush(): readonly string[] {
    return this.#withSkipped(this.#lines.flush());
  }

  #withSkipped(batches: readonly LineBatch[]): readonly string[] {
    const lines = batches.flatMap((batch) => batch.lines);
    for (; this.#skipped > 0; this.#skipped -= 1) lines.push(TOO_LONG);
    return lines;
  }
}
