import { isObject, type WireObject } from '../../../wire/protocol/frames.js';

/** Why a quiet CLI is not a stalled one. */
export type Excuse = 'tool' | 'prompt' | 'retry' | 'compaction' | 'background';

/** Follows what the CLI is busy with, from its messages. */
export class Activity {
  readonly #tools = new Set<string>();
  readonly #tasks = new Set<string>();
  #retrying = false;
  #compacting = false;
  #prompts = 0;

  /** Background tasks that have not ended. */
  get backgroundTasks(): number {
    return this.#tasks.size;
  }

  /** Why the CLI may be quiet now; undefined if it should be heard of. */
  get excuse(): Excuse | undefined {
    if (this.#prompts > 0) return 'prompt';
    if (this.#tools.size > 0) return 'tool';
    if (this.#retrying) return 'retry';
    if (this.#compacting) return 'compaction';
    return this.#tasks.size > 0 ? 'background' : undefined;
  }

  /** A request of the CLI waits for the host. */
  requestOpened(): void {
    this.#prompts += 1;
  }

  /** One of them waits no longer. */
  requestClosed(): void {
    this.#prompts -= 1;
  }

  /** Forgets everything: the CLI is gone. */
  reset(): void {
    this.#tools.clear();
    this.#tasks.clear();
    this.#retrying = false;
    this.#compacting = false;
  }

  note(message: WireObject): void {
    this.#retrying = message.type === 'system' && message.subtype === 'api_retry';
    if (message.type === 'result') this.#tools.clear();
    else if (message.type === 'system') this.#noteSystem(message);
    else this.#noteBlocks(message);
  }

  #noteSystem(message: WireObject): void {
    switch (message.subtype) {
      case 'status':
        this.#compacting = message.status === 'compacting';
        return;
      case 'task_started':
        if (typeof message.task_id === 'string') this.#tasks.add(message.task_id);
        return;
      case 'task_notification':
        if (typeof message.task_id === 'string') this.#tasks.delete(message.task_id);
        return;
      case 'background_tasks_changed':
        this.#tasks.clear();
        for (const task of Array.isArray(message.tasks) ? message.tasks.filter(isObject) : []) {
          if (typeof task.task_id === 'string') this.#tasks.add(task.task_id);
        }
    }
  }

  #noteBlocks(message: WireObject): void {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_use' && typeof block.id === 'string') this.#tools.add(block.id);
      if (block.type === 'tool_result' && typeof block.tool_use_id === 'string')
        this.#tools.delete(block.tool_use_id);
    }
  }
}

function blocksOf(message: WireObject): readonly WireObject[] {
  if (message.type !== 'assistant' && message.type !== 'user') return [];
  if (!isObject(message.message) || !Array.isArray(message.message.content)) return [];
  return message.message.content.filter(isObject);
}
