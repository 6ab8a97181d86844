import type { Todo } from '../../../src/wire/protocol/todos.js';
import { VisibleText } from './visible-text.js';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['completed', 'done'],
  ['in_progress', 'in work'],
  ['pending', 'open'],
]);

/** A to-do list. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  const done = todos.filter(({ status }) => status === 'completed').length;
  return (
    <ul className="todos" aria-label={`To do: ${done} of ${todos.length} done`}>
      {todos.map(({ content, status }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the call does not change
        <li key={index} data-status={status}>
          <span className="todo-mark" role="img" aria-label={WORDS.get(status) ?? status} />
          <VisibleText text={content} />
        </li>
      ))}
    </ul>
  );
}
