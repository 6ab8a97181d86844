import { isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { MessageDispatcher } from '../../core/messages/message-dispatcher.js';

/** A running task of the CLI. */
export interface KnownTask {
  readonly taskId: string;
  readonly toolUseId: string | undefined;
  readonly backgrounded: boolean;
}

/** How long to wait for a task. */
export interface TaskWait {
  readonly ms: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** The maximum number of remembered tasks. */
const LIMIT = 1_000;

/** The running tasks that the CLI has reported. Bounded: only the latest are kept. */
export class TaskList {
  readonly #tasks = new Map<string, KnownTask>();
  /** The tool calls of the conversation itself that have no result yet. */
  readonly #calls = new Set<string>();
  readonly #waits = new Set<() => void>();

  constructor(messages: MessageDispatcher) {
    messages.on('system/task_started', (message) => this.#start(message));
    messages.on('system/task_updated', ({ task_id: id, patch }) => this.#update(String(id), patch));
    messages.on('system/task_notification', ({ task_id: id }) => this.#tasks.delete(String(id)));
    messages.on('assistant', (message) => this.#noteCalls(message));
    messages.on('user', (message) => this.#noteCalls(message));
    messages.on('result', () => this.#calls.clear());
  }

  /** The CLI ended or was replaced: none of its tasks run, and awaited ones will not be reported. */
  reset(): void {
    this.#tasks.clear();
    this.#calls.clear();
    for (const end of [...this.#waits]) end();
  }

  /** The tool calls that a turn still waits for. Some CLIs do not report the tasks of their commands. */
  get foregroundCalls(): readonly string[] {
    const tasks = [...this.#tasks.values()].filter(({ backgrounded }) => !backgrounded);
    return [...new Set([...tasks.flatMap(({ toolUseId }) => toolUseId ?? []), ...this.#calls])];
  }

  /** Finds a task by its own id (which is the agent's id for agents) or by its tool use. */
  find(target: string): KnownTask | undefined {
    return this.#tasks.get(target) ?? [...this.#tasks.values()].find(({ toolUseId }) => toolUseId === target);
  }

  /** Waits until the CLI reports another task or ends, at most this long. */
  next({ ms, clock, signal }: TaskWait): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stopTimer();
        signal?.removeEventListener('abort', end);
        this.#waits.delete(end);
        resolve();
      };
      const stopTimer = clock.after(ms, end);
      signal?.addEventListener('abort', end);
      this.#waits.add(end);
      if (signal?.aborted === true) end();
    });
  }

  #start({ task_id: taskId, tool_use_id: toolUseId, is_backgrounded: backgrounded }: WireObject): void {
    if (typeof taskId !== 'string') return;
    this.#tasks.set(taskId, {
      taskId,
      toolUseId: typeof toolUseId === 'string' ? toolUseId : undefined,
      backgrounded: backgrounded === true,
    });
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > LIMIT && oldest !== undefined) this.#tasks.delete(oldest);
    for (const end of [...this.#waits]) end();
  }

  #noteCalls({ message, parent_tool_use_id: parent }: WireObject): void {
    if (typeof parent === 'string' || !isObject(message)) return;
    for (const { type, id, tool_use_id: answered } of objectsIn(message.content)) {
      if (type === 'tool_use' && typeof id === 'string') this.#calls.add(id);
      if (type === 'tool_result') this.#calls.delete(String(answered));
    }
  }

  #update(taskId: string, patch: unknown): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined || !isObject(patch)) return;
    if (patch.is_backgrounded === true) this.#tasks.set(taskId, { ...task, backgrounded: true });
    if (typeof patch.status === 'string' && patch.status !== 'running') this.#tasks.delete(taskId);
  }
}
