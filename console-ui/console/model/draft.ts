import type { TurnCost } from '../../shared/model/totals.js';
import type { Conversation } from './conversation.js';
import type { Item, Task, ToolItem } from './items.js';

/**
 * A conversation while lines are folded into it. It owns copies of the outer containers, so that a batch of lines costs
 * one copy; items themselves are replaced and never changed.
 */
export interface Draft {
  items: Item[];
  /** Where the outermost items are, by id: a search for each new one would make long conversations slow. */
  places: Map<string, number>;
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
  /** Whether something was said before that is not here, or whose cost is not known. */
  cutOff: boolean;
  facts: Conversation['facts'];
}

/** A draft to fold lines into. */
export function draftOf(conversation: Conversation): Draft {
  return {
    items: [...conversation.items],
    places: new Map(conversation.places),
    parents: new Map(conversation.parents),
    tasks: new Map(conversation.tasks),
    turns: [...conversation.turns],
    streams: new Map(conversation.streams),
    finished: new Map(conversation.finished),
    begun: new Set(conversation.begun),
    cutOff: conversation.cutOff,
    facts: conversation.facts,
  };
}

/** Puts an item in place of the one with its id, or at the end of its container. */
export function put(draft: Draft, parent: string | undefined, item: Item): void {
  changeIn(draft, parent, (items) => {
    const at = placeIn(draft, items, item.id);
    if (at !== -1) items[at] = item;
    else if (items.push(item) && items === draft.items) draft.places.set(item.id, items.length - 1);
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
    const at = placeIn(draft, items, id);
    const found = items[at];
    if (found !== undefined) items[at] = replace(found);
  });
}

/** Puts an item of the outermost container at its end. */
export function moveToEnd(draft: Draft, id: string): void {
  const { items, places } = draft;
  const at = placeIn(draft, items, id);
  if (at === -1) return;
  items.push(...items.splice(at, 1));
  // Most often it is at the end already: to count all of a long conversation anew would make each turn slow.
  for (let index = at; index < items.length; index += 1) places.set(items[index]?.id ?? '', index);
}

/** Keeps only the last items of the outermost container. */
export function keepLast(draft: Draft, count: number): void {
  draft.items = draft.items.slice(-count);
  draft.places = new Map(draft.items.map(({ id }, index) => [id, index]));
}

/** Where an item is in a container, or -1. What is nested in a tool call is short enough to be searched. */
function placeIn(draft: Draft, items: readonly Item[], id: string): number {
  if (items === draft.items) return draft.places.get(id) ?? -1;
  return items.findLastIndex((item) => item.id === id);
}

/** Replaces a tool call wherever it is nested. */
export function changeTool(draft: Draft, id: string, replace: (tool: ToolItem) => ToolItem): void {
  change(draft, draft.parents.get(id), id, (item) => (item.kind === 'tool' ? replace(item) : item));
}

/** An item of a container. */
export function find(draft: Draft, parent: string | undefined, id: string): Item | undefined {
  let items: readonly Item[] = draft.items;
  for (const step of chain(draft, parent)) {
    const tool = items[placeIn(draft, items, step)];
    if (tool?.kind !== 'tool') return undefined;
    items = tool.children;
  }
  return items[placeIn(draft, items, id)];
}

function changeIn(draft: Draft, parent: string | undefined, edit: (items: Item[]) => void): void {
  editAt(draft, draft.items, chain(draft, parent), edit);
}

function editAt(
  draft: Draft,
  items: Item[],
  [step, ...rest]: readonly string[],
  edit: (items: Item[]) => void,
): void {
  const at = step === undefined ? -1 : placeIn(draft, items, step);
  const tool = items[at];
  // The beginning of a log may be gone: what hangs on nothing is shown at the top.
  if (tool?.kind !== 'tool') {
    edit(items);
    return;
  }
  const children = [...tool.children];
  editAt(draft, children, rest, edit);
  items[at] = { ...tool, children };
}

/** The tool calls around a container, outermost first. */
function chain(draft: Draft, parent: string | undefined): readonly string[] {
  const steps: string[] = [];
  for (let step = parent; step !== undefined && !steps.includes(step); step = draft.parents.get(step))
    steps.unshift(step);
  return steps;
}
