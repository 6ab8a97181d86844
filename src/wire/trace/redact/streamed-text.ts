import type { Sender } from '../format.js';
import { stringEnd } from './json-strings.js';
import type { Redactor } from './redactor.js';

/** A line on its way into a recording. */
export interface RecordedLine {
  readonly t: number;
  readonly from: Sender;
  readonly line: string;
}

/** Another entry on its way into a recording, as a line of its file. */
export interface RecordedEntry {
  readonly t: number;
  readonly entry: string;
  /** Whether every part of a rotated file begins with it. */
  readonly lasting: boolean;
}

/** Whether a batch of lines has pieces of streamed text. */
export function hasPieces(text: string): boolean {
  return text.includes('content_block_delta');
}

/**
 * Removes secrets that the model streams in pieces: a line is held back while its text may be part of a secret that the next
 * lines complete, and so is everything after it. If there is one, the first piece gets the whole clean text. When too much
 * is held back, only text that surely has no half of a secret is released; without such text, the block is redacted.
 */
export class StreamedText {
  readonly #redactor: Redactor;
  /** Texts of several words: their first words must not be released before the last one. */
  readonly #phrases: readonly string[];
  readonly #ready: Held[] = [];
  /** From the first line that waits. */
  readonly #queue: Held[] = [];
  #mostLines = MANY_LINES;
  readonly #blocks = new Map<string, Block>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
    this.#phrases = redactor.texts.filter((text) => wordStart(text) > 0);
  }

  /** Whether a line is held back. */
  get isHolding(): boolean {
    return this.#queue.length > 0;
  }

  /** Whether no line is held back, and none is waited for. */
  get isIdle(): boolean {
    return !this.isHolding && ![...this.#blocks.values()].some(({ isRedacted }) => isRedacted);
  }

  take(given: RecordedLine): void {
    const piece = given.from === 'cli' ? pieceIn(given.line) : undefined;
    const held: HeldLine = { ...given, waits: piece !== undefined };
    this.#queue.push(held);
    if (piece !== undefined) this.#add(piece, held);
    else if (given.from === 'cli' && ENDS.test(given.line)) this.settle(streamOf(given.line));
    if (this.#queue.length > this.#mostLines) this.#shortenQueue();
  }

  /** An entry keeps its place, and says nothing about the end of a text. */
  takeEntry(entry: RecordedEntry): void {
    this.#queue.push({ ...entry, waits: false });
    if (this.#queue.length > this.#mostLines) this.#shortenQueue();
  }

  /** Removes and returns what waits for nothing any more, in order. */
  ready(): readonly (RecordedLine | RecordedEntry)[] {
    this.#advance();
    return this.#ready.splice(0);
  }

  /** Holds nothing back any more: the text of a stream is complete, or the recording ends. */
  settle(stream?: string): void {
    for (const [id, block] of this.#blocks) {
      if (stream !== undefined && block.stream !== stream) continue;
      this.#release(block, block.text.length);
      this.#blocks.delete(id);
    }
  }

  #add({ index, stream, text, start }: Piece, line: HeldLine): void {
    const id = `${index} ${stream}`;
    const block = this.#blocks.get(id) ?? newBlock(stream);
    this.#blocks.set(id, block);
    const piece = { line, start, length: text.length };
    if (block.isRedacted) {
      letGo([piece], '');
      return;
    }
    block.pieces.push(piece);
    block.text += text;
    block.isRisky ||= this.#redactor.rulesFor(block.text).length > 0;
    if (!block.isRisky) this.#release(block, Math.min(wordStart(block.text), this.#phraseStart(block.text)));
    if (block.text.length <= block.mostText) return;
    block.attempts = this.#shorten(block) ? 0 : block.attempts + 1;
    if (block.attempts > MOST_ATTEMPTS) redact(block);
    block.mostText = Math.max(MUCH_TEXT, block.text.length + TAIL);
  }

  /** Where the text ends without the words that may be the beginning of a phrase. */
  #phraseStart(text: string): number {
    const starts = this.#phrases.map((phrase) => {
      const first = phrase.charAt(0);
      let at = text.indexOf(first, Math.max(0, text.length - phrase.length));
      while (at !== -1 && !phrase.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
      return at === -1 ? text.length : at;
    });
    return Math.min(text.length, ...starts);
  }

  #shortenQueue(): void {
    this.#advance();
    if (this.#queue.length > MANY_LINES) for (const block of this.#blocks.values()) this.#shorten(block);
    this.#advance();
    while (this.#queue.length > MOST_LINES) {
      const [first] = this.#queue;
      for (const block of this.#blocks.values()) if (block.pieces[0]?.line === first) redact(block);
      this.#advance();
    }
    this.#mostLines = Math.min(MOST_LINES, Math.max(MANY_LINES, this.#queue.length + SOME_LINES));
  }

  /** Releases the beginning of a long text; returns whether there was a safe place to cut it. */
  #shorten(block: Block): boolean {
    const end = this.#safeEnd(block);
    if (end !== undefined) this.#release(block, end);
    return end !== undefined;
  }

  /** The end of a piece that is no place inside a secret. What comes after it is long enough to tell. */
  #safeEnd({ text, pieces }: Block): number | undefined {
    const whole = this.#redactor.clean(text);
    const isSafe = (end: number) =>
      this.#redactor.clean(text.slice(0, end)) + this.#redactor.clean(text.slice(end)) === whole;
    const last = Math.min(text.length - TAIL, this.#phraseStart(text));
    const ends = endsOf(pieces).filter((end) => end <= last);
    const word = wordStart(text);
    // A long word that is no secret, such as an image, may be cut.
    return fromTheLast(ends.filter((end) => end <= word)).find(isSafe) ?? fromTheLast(ends).find(isSafe);
  }

  /** Lets the pieces go that end before a position. */
  #release(block: Block, position: number): void {
    const ends = endsOf(block.pieces).filter((each) => each <= position);
    const end = ends.at(-1);
    if (end === undefined) return;
    const text = block.text.slice(0, end);
    const clean = this.#redactor.clean(text);
    letGo(block.pieces.splice(0, ends.length), clean === text ? undefined : clean);
    block.text = block.text.slice(end);
    block.isRisky = false;
  }

  /** Moves the lines before the first one that waits. */
  #advance(): void {
    const waiting = this.#queue.findIndex(({ waits }) => waits);
    const count = waiting === -1 ? this.#queue.length : waiting;
    for (const each of this.#queue.splice(0, count)) this.#ready.push(each);
  }
}

interface HeldLine {
  readonly t: number;
  readonly from: Sender;
  line: string;
  waits: boolean;
}

type Held = HeldLine | (RecordedEntry & { readonly waits: false });

/** The pieces of a content block that are held back, and their text as it is in the lines. */
interface Block {
  readonly stream: string;
  text: string;
  /** Whether the text has a word that announces secrets, or is part of one. */
  isRisky: boolean;
  /** Whether all of its text is removed, to its end. */
  isRedacted: boolean;
  /** The length from which on its beginning should be released. */
  mostText: number;
  /** How often there was no place to cut it. */
  attempts: number;
  readonly pieces: HeldPiece[];
}

interface HeldPiece {
  readonly line: HeldLine;
  readonly start: number;
  readonly length: number;
}

interface Piece {
  /** The position of its content block. */
  readonly index: string;
  readonly stream: string;
  readonly text: string;
  /** Where the text begins in the line. */
  readonly start: number;
}

/** When this much is held back, the beginning of the text is released; the rest is longer than any token. */
const MUCH_TEXT = 16 * 1024;
const TAIL = 4 * 1024;
/** With a further `TAIL` of text each; a private key without an end reaches it. */
const MOST_ATTEMPTS = 12;
/** Places to cut a text that are tried each time. */
const MOST_TRIES = 64;
const MANY_LINES = 5_000;
const SOME_LINES = 500;
const MOST_LINES = 10_000;

/** The text is complete when the CLI sends it as a whole, if not before. */
const ENDS = /"type":"(?:content_block_stop|message_stop|assistant|result)"/;
const DELTA = /"delta":\{"type":"\w+_delta","(?:text|partial_json|thinking)":"/;
const INDEX = /"index":(\d+)/;
const PARENT = /"parent_tool_use_id":"([^"]*)"/;

function pieceIn(line: string): Piece | undefined {
  if (!hasPieces(line)) return undefined;
  const found = DELTA.exec(line);
  if (found === null) return undefined;
  const start = found.index + found[0].length;
  const end = stringEnd(line, start);
  if (end === undefined) return undefined;
  const index = INDEX.exec(line)?.[1] ?? '';
  return { index, stream: streamOf(line), text: line.slice(start, end), start };
}

/** The agent that streams; the conversation itself has no name. */
function streamOf(line: string): string {
  return PARENT.exec(line)?.[1] ?? '';
}

/** Where the last word begins; a secret that nothing announces is one word. */
function wordStart(text: string): number {
  const spaces = [' ', '\\n', '\\t', '\\r'].map((space) => {
    const at = text.lastIndexOf(space);
    return at === -1 ? 0 : at + space.length;
  });
  return Math.max(...spaces);
}

function newBlock(stream: string): Block {
  const flags = { isRisky: false, isRedacted: false };
  return { stream, text: '', ...flags, mostText: MUCH_TEXT, attempts: 0, pieces: [] };
}

/** Removes the text that is held back, and all that follows: it may begin inside a secret. */
function redact(block: Block): void {
  letGo(block.pieces.splice(0), '<redacted>');
  block.text = '';
  block.isRedacted = true;
}

/** Holds these pieces back no longer; a replacement of their text goes into the first one. */
function letGo(pieces: readonly HeldPiece[], replacement?: string): void {
  for (const [index, { line, start, length }] of pieces.entries()) {
    line.waits = false;
    if (replacement === undefined) continue;
    const own = index === 0 ? replacement : '';
    line.line = `${line.line.slice(0, start)}${own}${line.line.slice(start + length)}`;
  }
}

/** Where each piece ends in the text of all. */
function endsOf(pieces: readonly HeldPiece[]): readonly number[] {
  let end = 0;
  return pieces.map(({ length }) => {
    end += length;
    return end;
  });
}

/** Some of the places, evenly spread, the last one first: trying all would take too long. */
function fromTheLast(places: readonly number[]): readonly number[] {
  const step = Math.ceil(places.length / MOST_TRIES);
  return places.toReversed().filter((_, index) => index % step === 0);
}
