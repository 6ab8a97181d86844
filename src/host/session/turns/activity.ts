import { contentOf, isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import type { MessageDispatcher } from '../../core/messages/message-dispatcher.js';

/** Why a silent CLI is not stalled. */
export type Excuse = 'tool' | 'prompt' | 'retry' | 'compaction' | 'background';

/** Follows what the CLI is busy with, from its messages. */
export class Activity {
  readonly #tools = new Set<string>();
  /** The tasks that run, each with the tool call that started it, if the CLI reports it. */
  readonly #tasks = new Map<string, unknown>();
  readonly #backgroundTaskEnded: () => void;
  #retrying = false;
  #compacting = false;
  #prompts = 0;

  constructor(messages: MessageDispatcher, backgroundTaskEnded: () => void) {
    this.#backgroundTaskEnded = backgroundTaskEnded;
    messages.on('result', () => this.#tools.clear());
    messages.on('assistant', (message) => this.#noteBlocks(message));
    messages.on('user', (message) => this.#noteBlocks(message));
    messages.on('system/status', ({ status }) => {
      this.#compacting = status === 'compacting';
    });
    messages.on('system/task_started', ({ task_id: id, tool_use_id: call }) => {
      if (typeof id === 'string') this.#tasks.set(id, call);
    });
    // Some CLIs send no notification about a task that ends while a turn runs, only this.
    messages.on('system/task_updated', ({ task_id: id, patch }) => {
      if (typeof id === 'string' && this.#tasks.has(id) && isObject(patch) && patch.end_time !== undefined)
        this.#endTask(id, this.#tasks.get(id));
    });
    messages.on('system/task_notification', ({ task_id: id, tool_use_id: call }) => {
      if (typeof id === 'string') this.#endTask(id, call);
    });
    messages.on('system/background_tasks_changed', ({ tasks }) => this.#replaceTasks(tasks));
  }

  /** Background tasks that have not ended. */
  get backgroundTasks(): number {
    return this.#tasks.size;
  }

  /** Why the CLI may be silent now; undefined if it should send something. */
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

  /** A request is no longer waiting. */
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

  /** A message of any kind arrived. */
  noteMessage(kind: string): void {
    this.#retrying = kind === 'system/api_retry';
  }

  /** A turn waits for a foreground task: its tool call is open until the task has ended. */
  #endTask(id: string, call: unknown): void {
    this.#tasks.delete(id);
    if (typeof call !== 'string' || !this.#tools.has(call)) this.#backgroundTaskEnded();
  }

  /** The list names all background tasks; some CLIs drop a task from it before they report its end. */
  #replaceTasks(tasks: unknown): void {
    const listed = new Set(objectsIn(tasks).map(({ task_id: id }) => id));
    for (const [id, call] of [...this.#tasks]) if (!listed.has(id)) this.#endTask(id, call);
    for (const id of listed)
      if (typeof id === 'string' && !this.#tasks.has(id)) this.#tasks.set(id, undefined);
  }

  #noteBlocks(frame: WireObject): void {
    for (const block of objectsIn(contentOf(frame))) {
      if (block.type === 'tool_use' && typeof block.id === 'string') this.#tools.add(block.id);
      if (block.type === 'tool_result' && typeof block.tool_use_id === 'string')
        this.#tools.delete(block.tool_use_id);
    }
  }
}
