import { MessageFold } from '../../../src/wire/protocol/reading/message-fold.js';
import type { TurnCost } from '../../shared/model/totals.js';
import type { Conversation } from './conversation.js';
import type { Item, Task, ToolItem } from './items.js';

/**
 * A conversation while lines are folded into it. It owns copies of the outer containers, so a batch of lines costs one
 * copy; items are replaced, never changed.
 */
export interface Draft {
  /** What is still open on the wire. The newest conversation has it: an older one is only shown. */
  readonly fold: MessageFold;
  items: Item[];
  /**
   * The positions of the outermost items, by id: searching for each new one would make long conversations
   * slow.
   */
  places: Map<string, number>;
  /** The parent call of each nested tool call. */
  parents: Map<string, string>;
  tasks: Map<string, Task>;
  turns: TurnCost[];
  /** User messages that the CLI has picked up. */
  begun: Set<string>;
  /** Whether earlier messages are missing here, or their cost is unknown. */
  cutOff: boolean;
  /** What the CLI is doing besides answering, such as compacting. */
  activity: string | undefined;
  /** The call of this turn that shows the to-do list. */
  todosAt: string | undefined;
}

/** A draft to fold lines into. */
export function draftOf(conversation: Conversation): Draft {
  return {
    fold: conversation.fold ?? new MessageFold(),
    items: [...conversation.items],
    places: new Map(conversation.places),
    parents: new Map(conversation.parents),
    tasks: new Map(conversation.tasks),
    turns: [...conversation.turns],
    begun: new Set(conversation.begun),
    cutOff: conversation.cutOff,
    activity: conversation.activity,
    todosAt: conversation.todosAt,
  };
}

/** Replaces the item with the same id, or appends it to its container. */
export function put(draft: Draft, parent: string | undefined, item: Item): void {
  changeIn(draft, parent, (items) => {
    const at = placeIn(draft, items, item.id);
    if (at !== -1) items[at] = item;
    else if (items.push(item) && items === draft.items) draft.places.set(item.id, items.length - 1);
  });
  if (item.kind === 'tool' && parent !== undefined) draft.parents.set(item.id, parent);
}

/** Replaces an item, if it exists. */
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

/** Moves an item of the outermost container to its end. */
export function moveToEnd(draft: Draft, id: string): void {
  const { items, places } = draft;
  const at = placeIn(draft, items, id);
  if (at === -1) return;
  items.push(...items.splice(at, 1));
  // Usually it is already at the end: reindexing a long conversation would make each turn slow.
  for (let index = at; index < items.length; index += 1) places.set(items[index]?.id ?? '', index);
}

/** Keeps only the last items of the outermost container. */
export function keepLast(draft: Draft, count: number): void {
  draft.items = draft.items.slice(-count);
  draft.places = new Map(draft.items.map(({ id }, index) => [id, index]));
}

/** The position of an item in a container, or -1. A tool call's nested items are few enough to search. */
function placeIn(draft: Draft, items: readonly Item[], id: string): number {
  if (items === draft.items) return draft.places.get(id) ?? -1;
  return items.findLastIndex((item) => item.id === id);
}

/** Replaces a tool call wherever it is nested. */
export function changeTool(draft: Draft, id: string, replace: (tool: ToolItem) => ToolItem): void {
  change(draft, draft.parents.get(id), id, (item) => (item.kind === 'tool' ? replace(item) : item));
}

/** An item in a container. */
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
  // The start of a log may be missing: orphans are shown at the top.
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
