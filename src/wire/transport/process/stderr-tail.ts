import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** How many characters of stderr are kept. */
const KEPT = 16 * 1024;

/** Reads stderr to its end, so that it never blocks the CLI, and keeps the last part of it. */
export class StderrTail {
  #text = '';

  constructor(stderr: Readable, onText: (text: string) => void = () => {}) {
    const decoder = new StringDecoder('utf8');
    stderr.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk);
      this.#text = (this.#text + text).slice(-KEPT);
      if (text !== '') onText(text);
    });
    stderr.on('error', () => {});
  }

  /** The last characters received, at most 16 Ki. */
  get text(): string {
    return this.#text;
  }
}
