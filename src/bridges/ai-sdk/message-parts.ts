import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { ItemChange, ToolItem } from '../../wire/protocol/reading/items.js';
import { MessageFold } from '../../wire/protocol/reading/message-fold.js';
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
  readonly #fold = new MessageFold();
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
    return this.#fold.take(message).flatMap((change) => this.#partsOf(change));
  }

  #partsOf({ item, isNew, added }: ItemChange): readonly Part[] {
    if (item.agent !== null) return [];
    const { kind, id } = item;
    if (kind === 'tool' && item.name !== OUTPUT_TOOL) return this.#callParts(item, { isNew, added });
    if (kind !== 'thinking' && (kind !== 'text' || this.#options.structured)) return [];
    const type = kind === 'text' ? 'text' : 'reasoning';
    return [
      ...(isNew ? [{ type: `${type}-start`, id } as const] : []),
      ...(added === '' ? [] : [{ type: `${type}-delta`, id, delta: added } as const]),
      ...(item.state === 'writing' ? [] : [{ type: `${type}-end`, id } as const]),
    ];
  }

  #callParts(item: ToolItem, { isNew, added }: Pick<ItemChange, 'isNew' | 'added'>): readonly Part[] {
    const { id } = item;
    switch (item.state) {
      case 'writing':
        return isNew
          ? [{ type: 'tool-input-start', id, ...toolName(item) }]
          : [{ type: 'tool-input-delta', id, delta: added }];
      case 'running':
        return [...(isNew ? [] : [{ type: 'tool-input-end', id } as const]), this.#call(item)];
      default:
        return this.#result(item);
    }
  }

  #call(item: ToolItem): ToolCall {
    const { id, name, input } = item;
    const own = callerName(name);
    const call = {
      type: 'tool-call',
      toolCallId: id,
      input: JSON.stringify(input),
      ...toolName(item),
    } as const;
    if (own === undefined) this.#running.set(id, { call, step: this.#step });
    this.#options.onCall(id, own ?? name, input);
    return call;
  }

  #result({ id: toolCallId, state, result: content }: ToolItem): readonly Part[] {
    const running = this.#running.get(toolCallId);
    this.#running.delete(toolCallId);
    if (running === undefined || state === 'cut-off') return [];
    const { call, step } = running;
    const result = (content ?? '') as Extract<Part, { type: 'tool-result' }>['result'];
    const { toolName } = call;
    const isError = state === 'failed';
    const part = { type: 'tool-result', toolCallId, toolName, result, isError, dynamic: true } as const;
    // The AI SDK expects a call and its result in one step.
    return step === this.#step ? [part] : [call, part];
  }
}

/** The caller's own list does not contain the CLI's tools: they are dynamic, and run by the CLI. */
function toolName({ name }: ToolItem) {
  const own = callerName(name);
  return own === undefined ? { toolName: name, providerExecuted: true, dynamic: true } : { toolName: own };
}
