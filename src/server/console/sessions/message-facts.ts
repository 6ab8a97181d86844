import type { SessionSummary } from '../../../entry/remote/contract.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';

/** What a session's messages contribute to its summary. */
export class MessageFacts {
  model: string | undefined;
  permissionMode: string | undefined;
  contextTokens: number;
  contextWindow: number | undefined;

  constructor({ model, permissionMode, context }: SessionSummary) {
    this.model = model;
    this.permissionMode = permissionMode;
    this.contextTokens = context.tokens;
    this.contextWindow = context.window;
  }

  /** Sees every CLI message; returns whether something changed. */
  note(message: WireObject): boolean {
    switch (message.type) {
      case 'system':
        return this.#noteSystem(message);
      case 'assistant':
        return this.#noteAssistant(message);
      case 'result':
        return this.#noteResult(message);
      default:
        return false;
    }
  }

  #noteSystem(message: WireObject): boolean {
    if (message.subtype !== 'init' && message.subtype !== 'status') return false;
    const { model, permissionMode } = message;
    if (typeof model === 'string') this.model = model;
    if (typeof permissionMode === 'string') this.permissionMode = permissionMode;
    return true;
  }

  /** The last model call shows how full the context is; subagent calls have their own contexts. */
  #noteAssistant({ message, parent_tool_use_id: parent }: WireObject): boolean {
    if (typeof parent === 'string' || !isObject(message) || !isObject(message.usage)) return false;
    const { usage } = message;
    const tokens = numberIn(usage, 'input_tokens') + numberIn(usage, 'output_tokens');
    const cached =
      numberIn(usage, 'cache_read_input_tokens') + numberIn(usage, 'cache_creation_input_tokens');
    this.contextTokens = tokens + cached;
    return true;
  }

  #noteResult({ modelUsage }: WireObject): boolean {
    const models = isObject(modelUsage) ? Object.values(modelUsage).filter(isObject) : [];
    const windows = models.map((model) => numberIn(model, 'contextWindow'));
    if (windows.length > 0) this.contextWindow = Math.max(...windows) || undefined;
    return true;
  }
}

/** The first line of a user message, for a title. */
export function titleFrom(content: string | readonly WireObject[]): string | undefined {
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (typeof block.text === 'string' ? block.text : '')).join(' ');
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line;
}

const TITLE = 80;

function numberIn(object: WireObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
