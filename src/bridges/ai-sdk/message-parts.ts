import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { callerName } from './caller-answers.js';

type Part = LanguageModelV4StreamPart;
type ToolCall = Extract<Part, { type: 'tool-call' }>;

/** How to make the parts of an answer. */
export interface MessagePartsOptions {
  /** Whether the answer is an object: then the model's text on the way is left out. */
  readonly structured: boolean;
  /** Called for each tool call, with the caller's name of the tool. */
  readonly onCall: (id: string, name: string, input: unknown) => void;
}

/** The CLI's tool for structured output; its calls are not shown. */
const OUTPUT_TOOL = 'StructuredOutput';

/** Turns the messages of a turn into stream parts. Messages of subagents are not part of the answer. */
export class MessageParts {
  readonly #options: MessagePartsOptions;
  /** Calls that the CLI runs itself, until their results arrive. */
  readonly #running = new Map<string, { readonly call: ToolCall; readonly step: number }>();
  /** Messages whose text arrived in pieces. */
  readonly #streamed = new Set<unknown>();
  /** The blocks that are being written, by index. */
  readonly #open = new Map<
    unknown,
    { readonly id: string; readonly kind: 'text' | 'reasoning' | 'tool-input' }
  >();
  #message: unknown;
  #step = 0;

  constructor(options: MessagePartsOptions) {
    this.#options = options;
  }

  /** The caller has answered: what follows is another step for the AI SDK. */
  nextStep(): void {
    this.#step += 1;
  }

  /** The parts that a message adds. */
  of(message: WireObject): readonly Part[] {
    if (typeof message.parent_tool_use_id === 'string') return [];
    if (message.type === 'stream_event' && isObject(message.event)) return this.#piece(message.event);
    if (!isObject(message.message) || !Array.isArray(message.message.content)) return [];
    const { id, content } = message.message;
    if (message.type === 'assistant')
      return content.filter(isObject).flatMap((block) => this.#block(block, id));
    return message.type === 'user' ? content.filter(isObject).flatMap((block) => this.#result(block)) : [];
  }

  #piece(event: WireObject): readonly Part[] {
    switch (event.type) {
      case 'message_start':
        this.#message = isObject(event.message) ? event.message.id : undefined;
        this.#streamed.add(this.#message);
        return [];
      case 'content_block_start':
        return isObject(event.content_block) ? this.#begin(event.index, event.content_block) : [];
      case 'content_block_delta':
        return isObject(event.delta) ? this.#grow(event.index, event.delta) : [];
      case 'content_block_stop':
        return this.#finish(event.index);
      default:
        return [];
    }
  }

  #begin(index: unknown, block: WireObject): readonly Part[] {
    const id = `${String(this.#message)}:${String(index)}`;
    if (block.type === 'text' && !this.#options.structured) {
      this.#open.set(index, { id, kind: 'text' });
      return [{ type: 'text-start', id }];
    }
    if (block.type === 'thinking') {
      this.#open.set(index, { id, kind: 'reasoning' });
      return [{ type: 'reasoning-start', id }];
    }
    if (block.type !== 'tool_use' || block.name === OUTPUT_TOOL) return [];
    this.#open.set(index, { id: String(block.id), kind: 'tool-input' });
    return [{ type: 'tool-input-start', id: String(block.id), ...toolName(block) }];
  }

  #grow(index: unknown, delta: WireObject): readonly Part[] {
    const open = this.#open.get(index);
    const text = delta.text ?? delta.thinking ?? delta.partial_json;
    if (open === undefined || typeof text !== 'string' || text === '') return [];
    return [{ type: `${open.kind}-delta`, id: open.id, delta: text }];
  }

  #finish(index: unknown): readonly Part[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    return open === undefined ? [] : [{ type: `${open.kind}-end`, id: open.id }];
  }

  #block(block: WireObject, message: unknown): readonly Part[] {
    if (block.type === 'tool_use') return this.#call(block);
    if (this.#streamed.has(message)) return [];
    const id = `${String(message)}:${crypto.randomUUID()}`;
    if (block.type === 'text' && !this.#options.structured) return whole('text', id, String(block.text));
    return block.type === 'thinking' ? whole('reasoning', id, String(block.thinking)) : [];
  }

  #call(block: WireObject): readonly Part[] {
    if (block.name === OUTPUT_TOOL) return [];
    const toolCallId = String(block.id);
    const own = callerName(String(block.name));
    const call = {
      type: 'tool-call',
      toolCallId,
      input: JSON.stringify(block.input ?? {}),
      ...toolName(block),
    } as const;
    if (own === undefined) this.#running.set(toolCallId, { call, step: this.#step });
    this.#options.onCall(toolCallId, own ?? String(block.name), block.input);
    return [call];
  }

  #result(block: WireObject): readonly Part[] {
    if (block.type !== 'tool_result') return [];
    const toolCallId = String(block.tool_use_id);
    const running = this.#running.get(toolCallId);
    if (running === undefined) return [];
    this.#running.delete(toolCallId);
    const { call, step } = running;
    const result = (block.content ?? '') as Extract<Part, { type: 'tool-result' }>['result'];
    const { toolName } = call;
    const isError = block.is_error === true;
    const part = { type: 'tool-result', toolCallId, toolName, result, isError, dynamic: true } as const;
    // The AI SDK expects a call and its result in one step.
    return step === this.#step ? [part] : [call, part];
  }
}

/** The caller's own list does not contain the CLI's tools: they are dynamic, and run by the CLI. */
function toolName({ name }: WireObject) {
  const own = callerName(String(name));
  return own === undefined
    ? { toolName: String(name), providerExecuted: true, dynamic: true }
    : { toolName: own };
}

function whole(kind: 'text' | 'reasoning', id: string, delta: string): readonly Part[] {
  return [
    { type: `${kind}-start`, id },
    { type: `${kind}-delta`, id, delta },
    { type: `${kind}-end`, id },
  ];
}
