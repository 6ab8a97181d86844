import type { Keyboard } from '../terminal/keyboard.js';

/** A keyboard for messages and answers: while a question is open, the next line is the answer. */
export class SharedKeyboard implements Keyboard {
  readonly #keyboard: Keyboard;
  #asking: Promise<unknown> = Promise.resolve();
  #interrupt = new AbortController();

  constructor(keyboard: Keyboard) {
    this.#keyboard = keyboard;
  }

  /** The answer to the open question. */
  readLine(signal: AbortSignal): Promise<string | undefined> {
    this.#interrupt.abort();
    const line = this.#keyboard.readLine(signal);
    this.#asking = line;
    return line;
  }

  /** The next line while no question is open; undefined if the input ended or the signal came first. */
  async nextMessage(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      await this.#asking;
      this.#interrupt = new AbortController();
      const interrupted = this.#interrupt.signal;
      const line = await this.#keyboard.readLine(AbortSignal.any([signal, interrupted]));
      if (line !== undefined || signal.aborted || !interrupted.aborted) return line;
    }
  }
}
