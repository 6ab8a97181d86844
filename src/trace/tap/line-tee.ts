import { StringDecoder } from 'node:string_decoder';
import { LineSplitter } from '../../protocol/framing.js';
import type { OnLines } from '../../transport/transport.js';

/** Cuts a copy of a byte stream into lines. */
export class LineTee {
  readonly #onLines: OnLines;
  readonly #decoder = new StringDecoder('utf8');
  readonly #splitter: LineSplitter;

  /** A line that is too long to be kept is told by its length alone. */
  constructor(onLines: OnLines, onTooLong: (length: number) => void) {
    this.#onLines = onLines;
    this.#splitter = new LineSplitter({ onTooLong });
  }

  take(chunk: Buffer): void {
    this.#give(this.#splitter.push(this.#decoder.write(chunk)));
  }

  /** Gives the last line, if it had no end. */
  end(): void {
    this.#give([...this.#splitter.push(this.#decoder.end()), ...this.#splitter.flush()]);
  }

  #give(lines: readonly string[]): void {
    if (lines.length > 0) this.#onLines(lines);
  }
}
