import { PassingMap, RecentMap } from '../../util/maps.js';
import { isObject, objectsIn, stringIn, type WireObject } from '../frames.js';
import type { TaskItem } from './items.js';

/** How many running tasks are followed, and how many that have ended: their report may come later. */
const MOST_TASKS = 1_000;

/** Folds the CLI's messages about tasks into tasks. */
export class TaskFold {
  readonly #running = new PassingMap<string, TaskItem>();
  readonly #ended = new RecentMap<string, TaskItem>(MOST_TASKS);
  readonly #isOpen: (call: string) => boolean;

  /** `isOpen` says whether a tool call has no result yet: then the conversation waits for its task. */
  constructor(isOpen: (call: string) => boolean) {
    this.#isOpen = isOpen;
  }

  /** Tasks that have not ended, oldest first. */
  get running(): readonly TaskItem[] {
    return this.#running.values();
  }

  /** Whether a task was ever reported. */
  knows(id: string): boolean {
    return this.#running.has(id) || this.#ended.has(id);
  }

  /** The tasks that a message changes. */
  changedBy(message: WireObject): readonly TaskItem[] {
    if (message.subtype === 'background_tasks_changed') return this.#listed(objectsIn(message.tasks));
    const id = stringIn(message.task_id);
    const known = id === undefined ? undefined : this.#find(id);
    if (id === undefined) return [];
    const before = known ?? newTask(id);
    switch (message.subtype) {
      case 'task_started':
        return [{ ...before, ...startOf(message), running: true, status: 'running' }];
      case 'task_progress':
        return [{ ...before, ...startOf(message), ...progressOf(message, before) }];
      case 'task_updated':
        return known !== undefined && isObject(message.patch) ? [patched(known, message.patch)] : [];
      case 'task_notification':
        return [
          {
            ...before,
            ...progressOf(message, before),
            call: stringIn(message.tool_use_id) ?? before.call,
            status: stringIn(message.status) ?? 'completed',
            running: false,
          },
        ];
      default:
        return [];
    }
  }

  /** Remembers a task. The oldest one is dropped if a CLI never ends them. */
  put(task: TaskItem): void {
    if (!task.running) {
      this.#running.delete(task.id);
      this.#ended.set(task.id, task);
      return;
    }
    this.#running.set(task.id, task);
    const [oldest] = this.#running.size > MOST_TASKS ? this.#running.keys() : [];
    if (oldest !== undefined) this.#running.delete(oldest);
  }

  /** The list names all background tasks; some CLIs drop a task from it before they report its end. */
  #listed(list: readonly WireObject[]): readonly TaskItem[] {
    const listed = list.flatMap((entry) => {
      const id = stringIn(entry.task_id);
      return id === undefined ? [] : [this.#begun(id, entry)];
    });
    const ids = new Set(listed.map(({ id }) => id));
    const gone = this.running.filter(({ id, call }) => !ids.has(id) && !this.#waitsFor(call));
    return [...listed, ...gone.map((task) => ({ ...task, running: false, status: 'completed' }))];
  }

  #begun(id: string, entry: WireObject): TaskItem {
    return { ...(this.#find(id) ?? newTask(id)), ...startOf(entry), running: true, background: true };
  }

  #waitsFor(call: string | undefined): boolean {
    return call !== undefined && this.#isOpen(call);
  }

  #find(id: string): TaskItem | undefined {
    return this.#running.get(id) ?? this.#ended.get(id);
  }
}

function newTask(id: string): TaskItem {
  return {
    kind: 'task',
    id,
    agent: null,
    description: id,
    type: undefined,
    subagentType: undefined,
    call: undefined,
    status: 'running',
    running: true,
    background: false,
    tokens: undefined,
    summary: undefined,
  };
}

/** What a message says about the beginning of a task; keys that it lacks stay as they are. */
function startOf(message: WireObject): Partial<TaskItem> {
  const { description, task_type, subagent_type, tool_use_id, is_backgrounded } = message;
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof task_type === 'string' ? { type: task_type } : {}),
    ...(typeof subagent_type === 'string' ? { subagentType: subagent_type } : {}),
    ...(typeof tool_use_id === 'string' ? { call: tool_use_id } : {}),
    ...(typeof is_backgrounded === 'boolean' ? { background: is_backgrounded } : {}),
  };
}

function progressOf({ usage, summary }: WireObject, before: TaskItem): Partial<TaskItem> {
  const tokens = isObject(usage) ? usage.total_tokens : undefined;
  return {
    tokens: typeof tokens === 'number' ? tokens : before.tokens,
    summary: stringIn(summary) ?? before.summary,
  };
}

/** Some CLIs report the end of a task that a turn waits for only in this way. */
function patched(task: TaskItem, patch: WireObject): TaskItem {
  const status = stringIn(patch.status) ?? task.status;
  return {
    ...task,
    ...startOf(patch),
    status,
    running: patch.end_time === undefined && (status === 'running' || status === 'pending'),
    summary: stringIn(patch.error) ?? task.summary,
  };
}
