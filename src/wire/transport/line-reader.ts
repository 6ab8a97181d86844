import type { Readable } from 'node:stream';
import { type Deferred, deferred } from '../util/deferred.js';
import type { OnDiagnostic } from '../util/diagnostics.js';
import { ByteLines, DEFAULT_MAX_LINE_LENGTH, type LineBatch } from './byte-lines.js';
import type { OnLines } from './transport.js';

/** The limits of a line reader. */
export interface LineReaderOptions {
  /** Lines longer than this are skipped with a `LINE_TOO_LONG` diagnostic; UTF-16 code units. */
  readonly maxLineLength?: number;
  /** Receives notices. */
  readonly onDiagnostic?: OnDiagnostic;
}

/** Reads a byte stream as batches of lines. Chunks may split UTF-8 characters. */
export class LineReader {
  readonly #readable: Readable;
  readonly #lines: ByteLines;
  readonly #done: Deferred<Error | undefined> = deferred();
  #onLines: OnLines = () => {};
  #over = false;

  constructor(readable: Readable, options: LineReaderOptions = {}) {
    const { maxLineLength = DEFAULT_MAX_LINE_LENGTH, onDiagnostic } = options;
    this.#readable = readable;
    this.#lines = new ByteLines({
      maxLength: maxLineLength,
      onTooLong: (length) =>
        onDiagnostic?.({
          code: 'LINE_TOO_LONG',
          message: `A line of ${length} characters was skipped: the limit is ${maxLineLength}.`,
          length,
          limit: maxLineLength,
        }),
    });
    readable.once('end', () => this.#finish(undefined));
    readable.once('close', () => this.#finish(undefined));
    readable.once('error', (error) => this.#finish(error));
  }

  /** Settles after the last batch: with the error that ended the stream, or undefined. Never rejects. */
  get done(): Promise<Error | undefined> {
    return this.#done.promise;
  }

  /** Starts reading; called once. */
  start(onLines: OnLines): void {
    this.#onLines = onLines;
    this.#readable.on('data', (chunk: Buffer | string) => this.#take(chunk));
  }

  /** Stops reading, so that the pipe fills up and applies back-pressure. */
  pause(): void {
    this.#readable.pause();
  }

  /** Resumes reading. */
  resume(): void {
    this.#readable.resume();
  }

  /** Drops unread messages. */
  destroy(): void {
    this.#readable.destroy();
    this.#finish(undefined);
  }

  #take(chunk: Buffer | string): void {
    if (this.#over) return;
    this.#give(this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  }

  #finish(error: Error | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#give(this.#lines.flush());
    this.#done.resolve(error);
  }

  #give(batches: readonly LineBatch[]): void {
    for (const { lines, text } of batches) if (lines.length > 0) this.#onLines(lines, text);
  }
}
