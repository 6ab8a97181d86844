import type { Plan, PlanEntry } from '@agentclientprotocol/sdk';
import { objectsIn, type WireObject } from '../../wire/protocol/frames.js';

const STATUSES = ['pending', 'in_progress', 'completed'] as const;
/** The maximum number of entries: no real to-do list is this long. */
const LIMIT = 500;

/** The model's to-do list. Older CLIs write it as a whole, newer ones entry by entry. */
export class TaskPlan {
  readonly #tasks = new Map<string, PlanEntry>();

  /** Whether calls of a tool are shown as a plan instead of tool calls. */
  static isFor(tool: unknown): boolean {
    return tool === 'TodoWrite' || tool === 'TaskCreate' || tool === 'TaskUpdate';
  }

  /** The plan after a call of such a tool; undefined if nothing changed. */
  called({ name, input }: { readonly name: unknown; readonly input: WireObject }): Plan | undefined {
    if (name === 'TodoWrite') {
      this.#tasks.clear();
      for (const [at, todo] of objectsIn(input.todos).entries()) this.#set(String(at), entryOf(todo));
      return this.#plan();
    }
    const known = this.#tasks.get(String(input.taskId));
    if (name !== 'TaskUpdate' || known === undefined) return undefined;
    if (input.status === 'deleted') this.#tasks.delete(String(input.taskId));
    else
      this.#set(String(input.taskId), {
        ...known,
        ...entryOf({ content: known.content, status: known.status, ...input }),
      });
    return this.#plan();
  }

  /** The plan after the result of such a call: only the result has the id of a new entry. */
  answered({
    name,
    input,
    result,
  }: {
    readonly name: unknown;
    readonly input: WireObject;
    readonly result: string;
  }): Plan | undefined {
    const id = /#(\d+)/.exec(result)?.[1];
    if (name !== 'TaskCreate' || id === undefined) return undefined;
    this.#set(id, entryOf(input));
    return this.#plan();
  }

  #set(id: string, entry: PlanEntry): void {
    if (this.#tasks.size < LIMIT || this.#tasks.has(id)) this.#tasks.set(id, entry);
  }

  #plan(): Plan {
    return { entries: [...this.#tasks.values()] };
  }
}

function entryOf({ content, subject, status }: WireObject): PlanEntry {
  return {
    content: String(subject ?? content ?? ''),
    priority: 'medium',
    status: STATUSES.find((known) => known === status) ?? 'pending',
  };
}
