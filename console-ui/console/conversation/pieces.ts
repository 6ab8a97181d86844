/** The length of a piece of a long text: short enough to render at once without a noticeable delay. */
export const PIECE = 8 * 1024;

/** Cuts a text into pieces of about this length, after a newline if possible. Joined, they are the text. */
export function textPieces(text: string, length = PIECE): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = cutIn(text, at, at + length);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/**
 * Where to cut between two positions: after the last newline, otherwise after the last space, otherwise at
 * the end.
 */
function cutIn(text: string, from: number, to: number): number {
  if (to >= text.length) return text.length;
  const half = from + (to - from) / 2;
  const newline = text.lastIndexOf('\n', to - 1);
  if (newline >= half) return newline + 1;
  const blank = text.lastIndexOf(' ', to - 1);
  if (blank >= half) return blank + 1;
  // Not between two surrogates.
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code < 0xdc00 ? to - 1 : to;
}

/** A piece of a markdown text: some blocks, or a long code block. */
export interface MarkdownPiece {
  readonly kind: 'blocks' | 'code';
  readonly text: string;
  readonly lang?: string;
}

/** How long a markdown text may be before it is cut: a piece cannot refer to later pieces. */
const WHOLE = 4 * PIECE;

/**
 * Cuts markdown between blocks, so each piece can be parsed alone. A long code block is a separate piece; a long table
 * is continued with its header, other long blocks at the next line. Appending text changes only the last pieces.
 */
export function markdownPieces(text: string): readonly MarkdownPiece[] {
  if (text.length <= WHOLE) return [{ kind: 'blocks', text }];
  const cutter = new MarkdownCutter(text);
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    cutter.take(at, end);
    at = end;
  }
  return cutter.finish();
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)/;
const TABLE = /^.*\|.*\n[ \t]*\|?[ \t]*:?-+[-:| \t]*\n/;

class MarkdownCutter {
  readonly #text: string;
  readonly #pieces: MarkdownPiece[] = [];
  /** Where the piece starts, and the current block. */
  #start = 0;
  #block = 0;
  /** A prefix from elsewhere: the header of its table. */
  #head = '';
  #fence:
    | { readonly mark: string; readonly at: number; readonly body: number; readonly lang: string }
    | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes the next line, by its position. */
  take(at: number, end: number): void {
    const line = this.#text.slice(at, Math.min(end, at + PIECE));
    const [, mark, lang = ''] = FENCE.exec(line) ?? [];
    if (this.#fence !== undefined) this.#takeCode(mark, line, { at, end });
    else if (mark !== undefined) this.#fence = { mark, at, body: end, lang };
    else this.#takeText(line, end);
  }

  finish(): readonly MarkdownPiece[] {
    const { length } = this.#text;
    if (this.#fence !== undefined && length - this.#fence.at > PIECE) this.#cutCode(length, length);
    this.#cut(length);
    return this.#pieces;
  }

  #takeCode(mark: string | undefined, line: string, { at, end }: { at: number; end: number }): void {
    const fence = this.#fence;
    if (fence === undefined || mark?.startsWith(fence.mark) !== true || line.trim() !== mark) return;
    if (end - fence.at > PIECE) this.#cutCode(at, end);
    this.#fence = undefined;
    this.#block = end;
  }

  #takeText(line: string, end: number): void {
    const isBlank = line.trim() === '';
    // Indented text belongs to a list above.
    if (isBlank && end - this.#start >= PIECE && !/[ \t]/.test(this.#text[end] ?? '')) this.#cut(end);
    else if (end - this.#start >= 2 * PIECE) this.#cutBlock(end);
    if (isBlank) this.#block = end;
  }

  /** The block continues in the next piece. */
  #cutBlock(end: number): void {
    const [head = ''] = TABLE.exec(this.#text.slice(this.#block, this.#block + PIECE)) ?? [];
    if (head !== '') {
      this.#cut(end);
      this.#head = head;
      return;
    }
    for (const piece of textPieces(this.#text.slice(this.#start, end), 2 * PIECE))
      this.#cut(this.#start + piece.length);
  }

  #cutCode(end: number, next: number): void {
    if (this.#fence === undefined) return;
    const { at, body, lang } = this.#fence;
    this.#cut(at);
    this.#pieces.push({ kind: 'code', text: this.#text.slice(body, end).replace(/\n$/, ''), lang });
    this.#start = next;
  }

  #cut(end: number): void {
    const text = `${this.#head}${this.#text.slice(this.#start, end)}`;
    if (end > this.#start && text.trim() !== '') this.#pieces.push({ kind: 'blocks', text });
    this.#start = end;
    this.#head = '';
  }
}
