import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A person's lines, one at a time. */
export interface Keyboard {
  /** The next line; undefined when the input ended or the signal came first. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Reads lines in the terminal's own line mode: the system echoes and edits, and Ctrl-C stays a signal.
 * Nothing is read between questions.
 */
export function readKeyboard(input: Readable): Keyboard {
  return {
    readLine: (signal) =>
      signal.aborted || input.readableEnded ? Promise.resolve(undefined) : nextLine(input, signal),
  };
}

function nextLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input, terminal: false });
    const stop = () => lines.close();
    const settle = (line: string | undefined) => {
      signal.removeEventListener('abort', stop);
      resolve(line);
      lines.close();
    };
    lines.once('line', settle);
    lines.once('close', () => settle(undefined));
    signal.addEventListener('abort', stop, { once: true });
  });
}
