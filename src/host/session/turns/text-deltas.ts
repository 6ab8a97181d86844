import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { Reader, type Source, type SourceEnd, type Taker } from '../../../wire/util/reader.js';

/** A piece of streamed text. */
export interface TextDelta {
  /** The new text. */
  readonly text: string;
  /** The id of the tool call whose subagent writes this; null for the main conversation. */
  readonly agent: string | null;
  /** The number of the text block of this agent, from 1; a new number starts a new paragraph. */
  readonly block: number;
}

/** The text of a turn as it is written, from its messages as they are read. */
export class TextDeltas implements AsyncIterable<TextDelta>, Source<TextDelta>, Taker<WireObject> {
  readonly #messages: Source<WireObject>;
  readonly #finder = new TextFinder();
  #reader: Taker<TextDelta> | undefined;

  constructor(messages: Source<WireObject>) {
    this.#messages = messages;
  }

  get over(): SourceEnd | undefined {
    return this.#messages.over;
  }

  get waits(): boolean {
    return this.#reader?.waits === true;
  }

  [Symbol.asyncIterator](): Reader<TextDelta> {
    return new Reader(this);
  }

  begin(reader: Taker<TextDelta>): void {
    this.#messages.begin(this);
    this.#reader = reader;
  }

  take(): TextDelta | undefined {
    for (;;) {
      const message = this.#messages.take();
      if (message === undefined) return undefined;
      const delta = this.#finder.take(message);
      if (delta !== undefined) return delta;
    }
  }

  leave(): void {
    this.#messages.leave(this);
  }

  /** A message without text is consumed too; the reader keeps waiting. */
  give(message: WireObject): boolean {
    if (!this.waits) return false;
    const delta = this.#finder.take(message);
    if (delta !== undefined) this.#reader?.give(delta);
    return true;
  }

  end(end: SourceEnd): void {
    this.#reader?.end(end);
  }
}

/**
 * Finds new text, message by message: in `stream_event` deltas if the CLI sends them, otherwise as whole blocks
 * in `assistant` messages. A block that was streamed is not repeated when its message follows; a block whose beginning
 * was missed is returned whole with its message.
 */
class TextFinder {
  /** The agents with a block whose start was seen; true once some of its text was seen. */
  readonly #open = new Map<string, boolean>();
  readonly #blocks = new Map<string, number>();

  /** The text that this message adds, if it adds any. */
  take(message: WireObject): TextDelta | undefined {
    const { type } = message;
    if (type !== 'stream_event' && type !== 'assistant') return undefined;
    const agent = typeof message.parent_tool_use_id === 'string' ? message.parent_tool_use_id : null;
    const text =
      type === 'assistant'
        ? this.#whole(message.message, agent ?? '')
        : this.#streamed(message.event, agent ?? '');
    return text === '' ? undefined : { text, agent, block: this.#blocks.get(agent ?? '') ?? 0 };
  }

  #streamed(event: unknown, agent: string): string {
    if (!isObject(event)) return '';
    if (event.type === 'content_block_start') this.#open.set(agent, false);
    const hadText = this.#open.get(agent);
    const text = hadText === undefined ? '' : deltaText(event);
    if (text === '' || hadText === true) return text;
    this.#open.set(agent, true);
    this.#beginBlock(agent);
    return text;
  }

  #whole(message: unknown, agent: string): string {
    const text = wholeText(message);
    if (text === '') return '';
    const wasStreamed = this.#open.get(agent) === true;
    this.#open.delete(agent);
    // Its block was streamed: the final message adds nothing.
    if (wasStreamed) return '';
    this.#beginBlock(agent);
    return text;
  }

  #beginBlock(agent: string): void {
    this.#blocks.set(agent, (this.#blocks.get(agent) ?? 0) + 1);
  }
}

function deltaText(event: WireObject): string {
  if (event.type !== 'content_block_delta' || !isObject(event.delta)) return '';
  return event.delta.type === 'text_delta' && typeof event.delta.text === 'string' ? event.delta.text : '';
}

/** All text blocks of an API message. */
function wholeText(message: unknown): string {
  if (!isObject(message) || !Array.isArray(message.content)) return '';
  return message.content
    .filter((block) => isObject(block) && block.type === 'text' && typeof block.text === 'string')
    .map((block) => block.text)
    .join('');
}
