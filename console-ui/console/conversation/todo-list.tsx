import { isObject } from '../../../src/wire/protocol/frames.js';
import { blocksText, text } from '../model/blocks.js';
import type { ToolItem } from '../model/items.js';
import { VisibleText } from './visible-text.js';

/** A to-do item and its state. */
interface Todo {
  readonly what: string;
  readonly status: string;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['completed', 'done'],
  ['in_progress', 'in work'],
  ['pending', 'open'],
]);

/** The to-do items that a call writes or lists; undefined for other calls. */
export function todosOf({ name, input, result }: ToolItem): readonly Todo[] | undefined {
  if (name === 'TodoWrite' && Array.isArray(input.todos)) {
    const todos = input.todos.filter(isObject);
    return todos.map(({ content, status }) => ({ what: text(content) ?? '', status: text(status) ?? '' }));
  }
  if (name !== 'TaskList') return undefined;
  const listed = [...blocksText(result).matchAll(/^#\S+ \[(\w+)\] (.+)$/gm)];
  return listed.length === 0 ? undefined : listed.map(([, status = '', what = '']) => ({ what, status }));
}

/** A to-do list. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  const done = todos.filter(({ status }) => status === 'completed').length;
  return (
    <ul className="todos" aria-label={`To do: ${done} of ${todos.length} done`}>
      {todos.map(({ what, status }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the call does not change
        <li key={index} data-status={status}>
          <span className="todo-mark" role="img" aria-label={WORDS.get(status) ?? status} />
          <VisibleText text={what} />
        </li>
      ))}
    </ul>
  );
}
