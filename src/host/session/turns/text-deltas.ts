import { isObject, type WireObject } from '../../../wire/protocol/frames.js';

/** A piece of text as it is written. */
export interface TextDelta {
  readonly text: string;
  /** The tool use that runs the subagent which writes this; null for the main conversation. */
  readonly agent: string | null;
  /** Which text block of this agent it belongs to, from 1; a new number begins a new paragraph. */
  readonly block: number;
}

/** The text of a turn as it grows. */
export class TextDeltas implements AsyncIterable<TextDelta> {
  readonly #messages: AsyncIterable<WireObject>;

  constructor(messages: AsyncIterable<WireObject>) {
    this.#messages = messages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TextDelta, void, void> {
    const finder = new TextFinder();
    for await (const message of this.#messages) {
      const delta = finder.take(message);
      if (delta !== undefined) yield delta;
    }
  }
}

/**
 * Finds new text, message by message: in `stream_event` deltas where the CLI sends them, else whole blocks
 * in `assistant` messages. A block that was streamed is not repeated when its message follows.
 */
export class TextFinder {
  readonly #streamed = new Set<string>();
  readonly #blocks = new Map<string, number>();

  /** The text that this message adds, if it adds any. */
  take(message: WireObject): TextDelta | undefined {
    const agent = typeof message.parent_tool_use_id === 'string' ? message.parent_tool_use_id : null;
    const text = this.#textOf(message, agent ?? '');
    return text === '' ? undefined : { text, agent, block: this.#blocks.get(agent ?? '') ?? 0 };
  }

  #textOf(message: WireObject, agent: string): string {
    if (message.type === 'stream_event') {
      const text = deltaText(message.event);
      if (text !== '' && !this.#streamed.has(agent)) this.#beginBlock(agent);
      if (text !== '') this.#streamed.add(agent);
      return text;
    }
    if (message.type !== 'assistant') return '';
    const text = wholeText(message.message);
    // Its block was streamed: the message that ends it brings nothing new.
    if (text === '' || this.#streamed.delete(agent)) return '';
    this.#beginBlock(agent);
    return text;
  }

  #beginBlock(agent: string): void {
    this.#blocks.set(agent, (this.#blocks.get(agent) ?? 0) + 1);
  }
}

function deltaText(event: unknown): string {
  if (!isObject(event) || event.type !== 'content_block_delta' || !isObject(event.delta)) return '';
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
