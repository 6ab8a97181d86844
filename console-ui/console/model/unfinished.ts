import type { Draft } from './draft.js';
import type { Item } from './items.js';

/** A turn has ended: unfinished text stays as it is, and a tool call without a result has failed. */
export function endTurn(draft: Draft): void {
  draft.streams.clear();
  draft.todosAt = undefined;
  const before = draft.items.findLastIndex(({ kind }) => kind === 'turn-end');
  settleFrom(draft, before + 1, 'failed');
}

/** The CLI is gone, and so is everything it was doing; waiting messages were never sent. */
export function endCli(draft: Draft, at: number): void {
  draft.streams.clear();
  settleFrom(draft, 0, 'cut-off');
  for (const [id, task] of draft.tasks) {
    if (task.running) draft.tasks.set(id, { ...task, running: false, status: 'cut off', endedAt: at });
  }
  draft.facts = { ...draft.facts, activity: undefined };
}

type Unanswered = 'failed' | 'cut-off';

function settleFrom({ items }: Draft, start: number, tools: Unanswered): void {
  for (const [index, item] of items.slice(start).entries()) items[start + index] = settled(item, tools);
}

function settled(item: Item, tools: Unanswered): Item {
  switch (item.kind) {
    case 'text':
    case 'thinking':
      return item.streaming ? { ...item, streaming: false } : item;
    case 'user':
      return item.state === 'queued' && tools === 'cut-off' ? { ...item, state: 'dropped' } : item;
    case 'tool':
      if (item.state !== 'writing' && item.state !== 'running') return item;
      return {
        ...item,
        state: tools,
        asking: undefined,
        partialInput: undefined,
        children: item.children.map((child) => settled(child, tools)),
      };
    default:
      return item;
  }
}
