import { objectsIn, type WireObject } from './frames.js';

/** The maximum number of entries: no real to-do list is this long. */
const LIMIT = 500;

/** An entry of the model's to-do list. */
export interface Todo {
  /** What is to be done. */
  readonly content: string;
  /** How far it is. */
  readonly status: 'pending' | 'in_progress' | 'completed';
}

const STATUSES: readonly Todo['status'][] = ['pending', 'in_progress', 'completed'];

/** The model's to-do list, by the ids of its entries, in order. */
export type Todos = ReadonlyMap<string, Todo>;

/** A call of a to-do tool. Only the result has the id of a new entry. */
export interface TodoCall {
  readonly name: unknown;
  readonly input: WireObject;
  readonly result?: string | undefined;
}

/**
 * The list after a call; the same object if the call changed nothing. Older CLIs write it as a whole, newer ones entry
 * by entry.
 */
export function todosAfter(todos: Todos, { name, input, result = '' }: TodoCall): Todos {
  if (name === 'TodoWrite')
    return limited(objectsIn(input.todos).map((todo, at) => [String(at), todoOf(todo)]));
  if (name === 'TaskCreate') {
    const id = /#(\d+)/.exec(result)?.[1];
    return id === undefined ? todos : limited([...todos, [id, todoOf(input)]]);
  }
  if (name === 'TaskList') {
    const listed = [...result.matchAll(/^#(\S+) \[(\w+)\] (.+)$/gm)];
    return listed.length === 0
      ? todos
      : limited(listed.map(([, id = '', status, content]) => [id, todoOf({ content, status })]));
  }
  return name === 'TaskUpdate' ? updated(todos, input) : todos;
}

function updated(todos: Todos, input: WireObject): Todos {
  const id = String(input.taskId);
  const known = todos.get(id);
  if (known === undefined) return todos;
  if (input.status === 'deleted') return new Map([...todos].filter(([each]) => each !== id));
  return new Map(todos).set(id, todoOf({ ...known, ...input }));
}

function limited(entries: readonly (readonly [string, Todo])[]): Todos {
  return new Map(entries.slice(0, LIMIT));
}

function todoOf({ content, subject, status }: WireObject): Todo {
  return {
    content: String(subject ?? content ?? ''),
    status: STATUSES.find((known) => known === status) ?? 'pending',
  };
}
