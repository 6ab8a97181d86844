import type { WireObject } from '../frames.js';
import type { UiMessageChunk, UiMessageFacts } from './front-end-parts.js';
import type { Item, ItemChange, TextItem, ToolItem, TurnEndItem } from './items.js';
import { contentText, MessageFold } from './message-fold.js';
import { readTokens } from './token-count.js';

/**
 * Turns the messages of a CLI into an AI SDK UI message stream, version 1: what `useChat` and `readUIMessageStream` read.
 * Each turn is one message. What the AI SDK has no part for, such as to-do lists, tasks and the work of subagents, is data:
 * `data-todos`, `data-task`, `data-subagent` and so on, with an item as its value.
 */
export class UiMessageStream {
  readonly #fold = new MessageFold();
  #isStarted = false;
  #hasStep = false;
  #stopReason: string | undefined;

  /** The parts that a message adds. */
  take(message: WireObject): readonly UiMessageChunk[] {
    return this.#fold.take(message).flatMap((change) => this.#chunksOf(change));
  }

  /** The parts that are missing when the CLI has ended in the middle of a turn. */
  end(): readonly UiMessageChunk[] {
    const left = this.#fold.end().flatMap((change) => this.#chunksOf(change));
    if (!this.#isStarted) return [];
    return [...left, { type: 'error', errorText: 'The CLI ended.' }, ...this.#finish('error', NOTHING)];
  }

  /** A part of your own, in the message of this turn: a prompt for a person, for example. */
  custom(name: string, id: string, value: unknown): readonly UiMessageChunk[] {
    return [...this.#start({ kind: name, id }), { type: `data-${name}`, id, data: value }];
  }

  #chunksOf(change: ItemChange): readonly UiMessageChunk[] {
    const { item, isNew } = change;
    if (item.kind === 'turn-end') return [...this.#start(item), ...this.#turnEnd(item)];
    if (item.agent !== null) return this.#nested(item);
    switch (item.kind) {
      case 'user':
        return [];
      case 'answer':
        this.#stopReason = item.stopReason;
        return isNew ? [...this.#start(item), ...this.#nextStep()] : [];
      case 'text':
      case 'thinking':
        return [...this.#start(item), ...textChunks(item, change)];
      case 'tool':
        return [...this.#start(item), ...toolChunks(item, change)];
      default:
        return [...this.#start(item), dataOf(item.kind, item)];
    }
  }

  /** A message that joins the running turn, or whose beginning was missed, continues it. */
  #start({ id, kind }: { readonly id: string; readonly kind: string }): readonly UiMessageChunk[] {
    if (this.#isStarted) return [];
    this.#isStarted = true;
    return [kind === 'answer' ? { type: 'start', messageId: id } : { type: 'start' }];
  }

  #nextStep(): readonly UiMessageChunk[] {
    const before: UiMessageChunk[] = this.#hasStep ? [{ type: 'finish-step' }] : [];
    this.#hasStep = true;
    return [...before, { type: 'start-step' }];
  }

  /** Items of subagents, as they are done: their texts would be sent again with each piece. */
  #nested(item: Item): readonly UiMessageChunk[] {
    if ('state' in item && item.state === 'writing') return [];
    if (item.kind === 'answer' || item.kind === 'user') return [];
    return [...this.#start(item), dataOf('subagent', item)];
  }

  #turnEnd({
    failed,
    interrupted,
    text,
    tokens,
    costUsd,
    durationMs,
  }: TurnEndItem): readonly UiMessageChunk[] {
    const facts = { tokens, costUsd, durationMs };
    if (failed) return [{ type: 'error', errorText: text }, ...this.#finish('error', facts)];
    if (interrupted) return [{ type: 'abort' }, ...this.#finish('other', facts)];
    return this.#finish(reasonOf(this.#stopReason), facts);
  }

  #finish(finishReason: FinishReason, messageMetadata: UiMessageFacts): readonly UiMessageChunk[] {
    const step: UiMessageChunk[] = this.#hasStep ? [{ type: 'finish-step' }] : [];
    this.#isStarted = false;
    this.#hasStep = false;
    this.#stopReason = undefined;
    return [...step, { type: 'finish', finishReason, messageMetadata }];
  }
}

type FinishReason = Extract<UiMessageChunk, { type: 'finish' }>['finishReason'];

const NOTHING: UiMessageFacts = { tokens: readTokens(undefined), costUsd: undefined, durationMs: undefined };

function textChunks({ kind, id, state }: TextItem, { isNew, added }: ItemChange): readonly UiMessageChunk[] {
  const part = kind === 'text' ? 'text' : 'reasoning';
  return [
    ...(isNew ? [{ type: `${part}-start`, id } as const] : []),
    ...(added === '' ? [] : [{ type: `${part}-delta`, id, delta: added } as const]),
    ...(state === 'writing' ? [] : [{ type: `${part}-end`, id } as const]),
  ];
}

function toolChunks(item: ToolItem, { isNew, added }: ItemChange): readonly UiMessageChunk[] {
  const { id: toolCallId, name: toolName, input, state, result } = item;
  const call = { toolCallId, providerExecuted: true, dynamic: true } as const;
  switch (state) {
    case 'writing':
      return isNew
        ? [{ type: 'tool-input-start', toolName, ...call }]
        : [{ type: 'tool-input-delta', toolCallId, inputTextDelta: added }];
    case 'running':
      return [{ type: 'tool-input-available', toolName, input, ...call }];
    case 'done':
      return [{ type: 'tool-output-available', output: result ?? '', ...call }];
    default: {
      const errorText = state === 'failed' ? contentText(result) : 'It was cut off.';
      return [{ type: 'tool-output-error', errorText, ...call }];
    }
  }
}

function dataOf(kind: string, item: Item): UiMessageChunk {
  return { type: `data-${kind}`, id: `${item.kind}-${item.id}`, data: item };
}

function reasonOf(stopReason: string | undefined): FinishReason {
  if (stopReason === 'max_tokens') return 'length';
  return stopReason === 'refusal' ? 'content-filter' : 'stop';
}
