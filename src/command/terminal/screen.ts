import type { CommandContext } from '../command-context.js';
import type { Look } from './look.js';

/** Where a {@link Screen} writes. */
export type ScreenParts = Pick<
  CommandContext,
  'writeOut' | 'writeErr' | 'outIsTty' | 'errIsTty' | 'columns'
> & {
  readonly look: Look;
};

const ERASE_LINE = '\r\u001b[2K';

/**
 * Keeps stdout, stderr and one live line apart when all three are the same terminal: the live line is drawn only
 * at the start of a line, and removed before anything else is written.
 */
export class Screen {
  readonly look: Look;
  readonly #parts: ScreenParts;
  readonly #shared: boolean;
  #status = '';
  #drawn = '';
  #midLine = false;
  #held = false;

  constructor(parts: ScreenParts) {
    this.look = parts.look;
    this.#parts = parts;
    this.#shared = parts.outIsTty && parts.errIsTty;
  }

  /** Whether a live line is possible at all. */
  get live(): boolean {
    return this.look.live;
  }

  /** Writes data to stdout. */
  out(text: string): void {
    if (text === '') return;
    this.#erase();
    this.#parts.writeOut(text);
    this.#midLine = this.#shared && !text.endsWith('\n');
    this.#draw();
  }

  /** Writes one or more whole lines to stderr. */
  note(text: string): void {
    this.leaveLine();
    this.#erase();
    this.#parts.writeErr(`${text}\n`);
    this.#draw();
  }

  /** Ends an unfinished terminal line, without adding anything to the data. */
  leaveLine(): void {
    if (!this.#midLine) return;
    this.#parts.writeErr('\n');
    this.#midLine = false;
  }

  /** Shows this in the live line; an empty text removes it. */
  status(text: string): void {
    this.#status = text;
    this.#draw();
  }

  /** Lets a person complete a line that starts like this; the live line stays hidden until then. */
  async ask(prompt: string, read: () => Promise<string | undefined>): Promise<string | undefined> {
    this.leaveLine();
    this.#erase();
    this.#held = true;
    this.#parts.writeErr(prompt);
    try {
      const line = await read();
      if (line === undefined) this.#parts.writeErr('\n');
      return line;
    } finally {
      this.#held = false;
      this.#draw();
    }
  }

  #draw(): void {
    if (!this.live || this.#held || this.#midLine || this.#drawn === this.#status) return;
    const line = cut(this.#status, this.#parts.columns() - 1);
    this.#parts.writeErr(line === '' ? ERASE_LINE : `${ERASE_LINE}${this.look.dim(line)}`);
    this.#drawn = this.#status;
  }

  #erase(): void {
    if (this.#drawn === '') return;
    this.#parts.writeErr(ERASE_LINE);
    this.#drawn = '';
  }
}

/** A line that wraps could not be removed again. */
function cut(text: string, width: number): string {
  return [...text].slice(0, Math.max(0, width)).join('');
}
