/** The longest line that is read by default, in UTF-16 code units (64 MiB of ASCII). */
export const DEFAULT_MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** The options of a {@link LineSplitter}. */
export interface LineSplitterOptions {
  /** Lines longer than this are skipped, in UTF-16 code units. */
  readonly maxLength?: number;
  /** Called with the length of each skipped line. */
  readonly onTooLong?: (length: number) => void;
}

/**
 * Splits text into lines at `\n` only: CR, U+2028 and U+2029 are data. Use it for text from a socket or in a browser;
 * this package itself reads bytes and splits them before decoding. Fragments are kept in a list and joined once, so a
 * long line takes linear time.
 */
export class LineSplitter {
  readonly #maxLength: number;
  readonly #onTooLong: (length: number) => void;
  #fragments: string[] = [];
  #length = 0;
  #skipping = false;

  /** Creates a splitter. @public */
  constructor({ maxLength = DEFAULT_MAX_LINE_LENGTH, onTooLong = () => {} }: LineSplitterOptions = {}) {
    this.#maxLength = maxLength;
    this.#onTooLong = onTooLong;
  }

  /** Takes the next piece of text and returns the lines it completes. */
  push(chunk: string): string[] {
    const pieces = chunk.split('\n');
    const rest = pieces.pop() ?? '';
    if (pieces.length === 0) {
      this.#keep(rest);
      return pieces;
    }
    const first = this.#finish(pieces[0] ?? '');
    const lines = first === undefined ? pieces.slice(1) : pieces;
    if (first !== undefined) lines[0] = first;
    this.#keep(rest);
    return chunk.length > this.#maxLength ? lines.filter((line) => this.#fits(line)) : lines;
  }

  /** Ends the text: returns the last line if it had no newline. */
  flush(): string[] {
    if (this.#length === 0) return [];
    const line = this.#finish('');
    return line === undefined ? [] : [line];
  }

  #keep(fragment: string): void {
    if (fragment === '') return;
    this.#length += fragment.length;
    if (this.#length > this.#maxLength) {
      this.#skipping = true;
      this.#fragments = [];
    }
    if (!this.#skipping) this.#fragments.push(fragment);
  }

  /** Completes the current line with its last piece; undefined if it is too long. */
  #finish(lastPiece: string): string | undefined {
    if (this.#length === 0) return this.#fits(lastPiece) ? lastPiece : undefined;
    this.#keep(lastPiece);
    const line = this.#skipping ? undefined : this.#fragments.join('');
    if (line === undefined) this.#onTooLong(this.#length);
    this.#fragments = [];
    this.#length = 0;
    this.#skipping = false;
    return line;
  }

  #fits(line: string): boolean {
    if (line.length <= this.#maxLength) return true;
    this.#onTooLong(line.length);
    return false;
  }
}
