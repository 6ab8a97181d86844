import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
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
  readonly #waits = new Set<(over: boolean) => void>();

  constructor(messages: MessageDispatcher) {
    messages.on('system/task_started', (message) => this.#start(message));
    messages.on('system/task_updated', ({ task_id: id, patch }) => this.#update(String(id), patch));
    messages.on('system/task_notification', ({ task_id: id }) => this.#tasks.delete(String(id)));
  }

  /** The CLI ended or was replaced: none of its tasks run, and awaited ones will not be reported. */
  reset(): void {
    this.#tasks.clear();
    for (const look of [...this.#waits]) look(true);
  }

  /** The tasks that a turn still waits for. */
  get foreground(): readonly KnownTask[] {
    return [...this.#tasks.values()].filter(({ backgrounded }) => !backgrounded);
  }

  /** Finds a task by its own id (which is the agent's id for agents) or by its tool use. */
  find(target: string): KnownTask | undefined {
    return this.#tasks.get(target) ?? [...this.#tasks.values()].find(({ toolUseId }) => toolUseId === target);
  }

  /** Waits until the CLI reports a task; undefined on timeout, cancellation or the end of the CLI. */
  wait(target: string, { ms, clock, signal }: TaskWait): Promise<KnownTask | undefined> {
    return new Promise((resolve) => {
      const look = (over: boolean) => {
        const task = this.find(target);
        if (task === undefined && !over) return;
        callOff();
        signal?.removeEventListener('abort', giveUp);
        this.#waits.delete(look);
        resolve(task);
      };
      const giveUp = () => look(true);
      const callOff = clock.after(ms, giveUp);
      signal?.addEventListener('abort', giveUp);
      this.#waits.add(look);
      look(signal?.aborted === true);
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
    for (const look of [...this.#waits]) look(false);
  }

  #update(taskId: string, patch: unknown): void {
    const task = this.#tasks.get(taskId);
    if (task === undefined || !isObject(patch)) return;
    if (patch.is_backgrounded === true) this.#tasks.set(taskId, { ...task, backgrounded: true });
    if (typeof patch.status === 'string' && patch.status !== 'running') this.#tasks.delete(taskId);
  }
}
