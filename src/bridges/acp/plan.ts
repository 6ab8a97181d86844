import type { Plan } from '@agentclientprotocol/sdk';
import { type TodoCall, type Todos, todosAfter } from '../../wire/protocol/todos.js';

/** The model's to-do list as a plan. */
export class TaskPlan {
  #todos: Todos = new Map();

  /** Whether calls of a tool are shown as a plan instead of tool calls. */
  static isFor(tool: unknown): boolean {
    return tool === 'TodoWrite' || tool === 'TaskCreate' || tool === 'TaskUpdate';
  }

  /** The plan after the result of such a call, undefined if nothing changed: a new entry has no id before. */
  answered(call: TodoCall): Plan | undefined {
    return call.name === 'TaskCreate' ? this.called(call) : undefined;
  }

  /** The plan after a call of such a tool; undefined if nothing changed. */
  called(call: TodoCall): Plan | undefined {
    const after = todosAfter(this.#todos, call);
    if (after === this.#todos) return undefined;
    this.#todos = after;
    return { entries: [...after.values()].map((todo) => ({ ...todo, priority: 'medium' })) };
  }
}
