import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { toolLabel } from '../../wire/protocol/tool-label.js';
import { plainLine } from '../../wire/util/plain.js';

/** Follows a conversation through its messages, for a status line. */
export class TurnView {
  readonly #tools = new Map<string, string>();
  readonly #tokens = new Map<string, number>();
  readonly #tasks = new Map<string, { readonly label: string; readonly isShell: boolean }>();
  #current: string | undefined;
  #retry: string | undefined;
  #compacting = false;

  /** Input and output tokens of the running turn, as far as the CLI has reported them. */
  get tokens(): number {
    let sum = 0;
    for (const count of this.#tokens.values()) sum += count;
    return sum;
  }

  /** The running tool call, the newest one if there are several. */
  get tool(): string | undefined {
    return [...this.#tools.values()].at(-1);
  }

  /** Whether only shells run in the background: a server may never end, but an agent produces an answer. */
  get onlyShellsLeft(): boolean {
    return this.#tasks.size > 0 && this.#agent === undefined;
  }

  get #agent(): string | undefined {
    return [...this.#tasks.values()].find(({ isShell }) => !isShell)?.label;
  }

  /** What the CLI is doing, in words. */
  get busyWith(): string {
    if (this.#retry !== undefined) return this.#retry;
    if (this.#compacting) return 'the CLI to compact the conversation';
    if (this.tool !== undefined) return this.tool;
    return this.#agent === undefined ? 'the model' : `background work: ${this.#agent}`;
  }

  note(message: WireObject): void {
    this.#retry = undefined;
    switch (message.type) {
      case 'assistant':
      case 'user':
        this.#noteBlocks(message);
        return;
      case 'stream_event':
        this.#noteEvent(message.event);
        return;
      case 'system':
        this.#noteSystem(message);
        return;
      case 'result':
        this.#tools.clear();
        this.#tokens.clear();
    }
  }

  #noteBlocks({ message }: WireObject): void {
    if (!isObject(message)) return;
    this.#noteTokens(message.id, message.usage);
    for (const block of objectsIn(message.content)) {
      if (block.type === 'tool_use') this.#tools.set(String(block.id), labelOf(block));
      if (block.type === 'tool_result') this.#tools.delete(String(block.tool_use_id));
    }
  }

  #noteEvent(event: unknown): void {
    if (!isObject(event)) return;
    if (event.type === 'message_start' && isObject(event.message)) {
      this.#current = String(event.message.id);
      this.#noteTokens(this.#current, event.message.usage);
    }
    if (event.type === 'message_delta') this.#noteTokens(this.#current, event.usage);
  }

  /** The same call is reported several times, with growing numbers. */
  #noteTokens(id: unknown, usage: unknown): void {
    if (typeof id !== 'string' || !isObject(usage)) return;
    const total = TOKEN_KEYS.reduce((sum, key) => sum + numberIn(usage, key), 0);
    this.#tokens.set(id, Math.max(total, this.#tokens.get(id) ?? 0));
  }

  #noteSystem(message: WireObject): void {
    switch (message.subtype) {
      case 'api_retry':
        this.#retry = `the API (${plainLine(String(message.error ?? 'it failed'), 60)}), trying again`;
        return;
      case 'status':
        this.#compacting = message.status === 'compacting';
        return;
      case 'task_started':
        this.#tasks.set(String(message.task_id), taskOf(message));
        return;
      case 'task_notification':
        this.#tasks.delete(String(message.task_id));
        return;
      case 'background_tasks_changed':
        this.#tasks.clear();
        for (const task of objectsIn(message.tasks)) {
          this.#tasks.set(String(task.task_id), taskOf(task));
        }
    }
  }
}

/** Tool calls that a message starts, in words; questions to a person are shown separately. */
export function toolCallsIn({ type: kind, message }: WireObject): readonly string[] {
  if (kind !== 'assistant' || !isObject(message)) return [];
  return objectsIn(message.content)
    .filter(({ type, name }) => type === 'tool_use' && name !== 'AskUserQuestion')
    .map(labelOf);
}

const TOKEN_KEYS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

function labelOf({ name, input }: WireObject): string {
  return toolLabel(String(name), isObject(input) ? input : {});
}

function taskOf({ description, task_type }: WireObject): { label: string; isShell: boolean } {
  return {
    label: plainLine(String(description ?? 'a task'), 60),
    isShell: typeof task_type === 'string' && /bash|shell/.test(task_type),
  };
}

function numberIn(object: WireObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
