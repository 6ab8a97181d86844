import type { TurnCost } from '../../shared/model/totals.js';
import type { Conversation } from './conversation.js';
import type { Item, Task, ToolItem } from './items.js';

/**
 * A conversation while lines are folded into it. It owns copies of the outer containers, so that a batch of lines costs
 * one copy; items themselves are replaced and never changed.
 */
export interface Draft {
  items: Item[];
  /** Of each nested tool call, the call it is nested in. */
  parents: Map<string, string>;
  tasks: Map<string, Task>;
  turns: TurnCost[];
  /** By the call a stream belongs to, the message that is being written. */
  streams: Map<string, string>;
  /** How many blocks of a message have come whole. */
  finished: Map<string, number>;
  /** User messages that the CLI has taken up. */
  begun: Set<string>;
  facts: Conversation['facts'];
}

/** A draft to fold lines into. */
export function draftOf(conversation: Conversation): Draft {
  return {
    items: [...conversation.items],
    parents: new Map(conversation.parents),
    tasks: new Map(conversation.tasks),
    turns: [...conversation.turns],
    streams: new Map(conversation.streams),
    finished: new Map(conversation.finished),
    begun: new Set(conversation.begun),
    facts: conversation.facts,
  };
}

/** Puts an item in place of the one with its id, or at the end of its container. */
export function put(draft: Draft, parent: string | undefined, item: Item): void {
  changeIn(draft, parent, (items) => {
    const at = items.findLastIndex(({ id }) => id === item.id);
    if (at === -1) items.push(item);
    else items[at] = item;
  });
  if (item.kind === 'tool' && parent !== undefined) draft.parents.set(item.id, parent);
}

/** Replaces an item, if it is there. */
export function change(
  draft: Draft,
  parent: string | undefined,
  id: string,
  replace: (item: Item) => Item,
): void {
  changeIn(draft, parent, (items) => {
    const at = items.findLastIndex((item) => item.id === id);
    const found = items[at];
    if (found !== undefined) items[at] = replace(found);
  });
}

/** Puts an item of the outermost container at its end. */
export function moveToEnd(draft: Draft, id: string): void {
  const at = draft.items.findLastIndex((item) => item.id === id);
  if (at !== -1) draft.items.push(...draft.items.splice(at, 1));
}

/** Replaces a tool call wherever it is nested. */
export function changeTool(draft: Draft, id: string, replace: (tool: ToolItem) => ToolItem): void {
  change(draft, draft.parents.get(id), id, (item) => (item.kind === 'tool' ? replace(item) : item));
}

/** An item of a container. */
export function find(draft: Draft, parent: string | undefined, id: string): Item | undefined {
  let items: readonly Item[] = draft.items;
  for (const step of chain(draft, parent)) {
    const tool = items.findLast((item) => item.id === step);
    if (tool?.kind !== 'tool') return undefined;
    items = tool.children;
  }
  return items.findLast((item) => item.id === id);
}

function changeIn(draft: Draft, parent: string | undefined, edit: (items: Item[]) => void): void {
  editAt(draft.items, chain(draft, parent), edit);
}

function editAt(items: Item[], [step, ...rest]: readonly string[], edit: (items: Item[]) => void): void {
  if (step === undefined) {
    edit(items);
    return;
  }
  const at = items.findLastIndex(({ id }) => id === step);
  const tool = items[at];
  // The beginning of a log may be gone: what hangs on nothing is shown at the top.
  if (tool?.kind !== 'tool') {
    edit(items);
    return;
  }
  const children = [...tool.children];
  editAt(children, rest, edit);
  items[at] = { ...tool, children };
}

/** The tool calls around a container, outermost first. */
function chain(draft: Draft, parent: string | undefined): readonly string[] {
  const steps: string[] = [];
  for (let step = parent; step !== undefined && !steps.includes(step); step = draft.parents.get(step))
    steps.unshift(step);
  return steps;
}
