import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { type Todos, todosAfter } from '../../../src/wire/protocol/todos.js';
import type { TurnCost } from '../../shared/model/totals.js';
import { blocksText, readBlocks, text } from './blocks.js';
import { cliWords, isCommandText } from './cli-words.js';
import { changeTool, type Draft, draftOf, find, moveToEnd, put } from './draft.js';
import type { Block, Item, Task, WireLine } from './items.js';
import { foldResult } from './results.js';
import { foldAssistant, foldStreamEvent } from './speech.js';
import { foldRateLimit, foldSystem } from './system.js';

/** What is known about a session from its wire, besides the conversation itself. */
export interface Facts {
  readonly tools: readonly string[];
  readonly slashCommands: readonly string[];
  /** What the CLI is doing besides answering, such as compacting. */
  readonly activity: string | undefined;
  /** How many tokens the model last saw, and its maximum. */
  readonly contextTokens: number;
  readonly contextMax: number;
}

/** A conversation as it is shown, folded from its wire lines. */
export interface Conversation {
  readonly items: readonly Item[];
  readonly places: ReadonlyMap<string, number>;
  readonly parents: ReadonlyMap<string, string>;
  readonly tasks: ReadonlyMap<string, Task>;
  /** What each turn cost. */
  readonly turns: readonly TurnCost[];
  readonly streams: ReadonlyMap<string, string>;
  readonly finished: ReadonlyMap<string, number>;
  readonly begun: ReadonlySet<string>;
  /** Whether it starts in the middle. */
  readonly cutOff: boolean;
  readonly facts: Facts;
  readonly todos: Todos;
  readonly todosAt: string | undefined;
}

/** An empty conversation. */
export const NO_CONVERSATION: Conversation = {
  items: [],
  places: new Map(),
  parents: new Map(),
  tasks: new Map(),
  turns: [],
  streams: new Map(),
  finished: new Map(),
  begun: new Set(),
  cutOff: false,
  facts: {
    tools: [],
    slashCommands: [],
    activity: undefined,
    contextTokens: 0,
    contextMax: 0,
  },
  todos: new Map(),
  todosAt: undefined,
};

/** Folds lines into a conversation. Unchanged items keep their identity. */
export function foldLines(conversation: Conversation, lines: readonly WireLine[]): Conversation {
  if (lines.length === 0) return conversation;
  const draft = draftOf(conversation);
  for (const line of lines) foldLine(draft, line);
  return draft;
}

/** Folds one line into a draft. Control traffic and unknown types are for the inspector. */
export function foldLine(draft: Draft, line: WireLine): void {
  const { frame, from } = line;
  const parent = text(frame.parent_tool_use_id);
  if (from === 'cli') noteBegun(draft, frame.user_message_uuid);
  if (frame.type === 'command_lifecycle' && frame.state === 'started') noteBegun(draft, frame.command_uuid);
  // The CLI does not always report that the model is answering; its output shows it.
  if (draft.facts.activity === 'requesting' && SPEECH.has(String(frame.type)))
    draft.facts = { ...draft.facts, activity: undefined };
  if (frame.type === 'user') foldUser(draft, line, parent);
  else if (from === 'host') return;
  else if (frame.type === 'assistant') foldAssistant(draft, line, parent);
  else if (frame.type === 'stream_event') foldStreamEvent(draft, line, parent);
  else if (frame.type === 'result') foldResult(draft, line);
  else if (frame.type === 'system') foldSystem(draft, line);
  else if (frame.type === 'rate_limit_event') foldRateLimit(draft, line);
}

const SPEECH: ReadonlySet<string> = new Set(['assistant', 'stream_event']);

/** A queued message belongs before its answer, not where it was sent. */
function noteBegun(draft: Draft, uuid: unknown): void {
  if (typeof uuid !== 'string' || draft.begun.has(uuid)) return;
  draft.begun.add(uuid);
  moveToEnd(draft, uuid);
}

function foldUser(draft: Draft, line: WireLine, parent: string | undefined): void {
  const { frame, at, n } = line;
  const { content } = isObject(frame.message) ? frame.message : {};
  const results = Array.isArray(content) ? content.filter(isObject).filter(isToolResult) : [];
  for (const result of results) foldToolResult(draft, result, frame, at);
  const blocks = readBlocks(content);
  if (results.length > 0 || blocks.length === 0 || frame.isMeta === true) return;
  const id = text(frame.uuid) ?? `user-${n}`;
  const known = find(draft, parent, id);
  // Newer CLIs echo a message when they pick it up; its content is known then.
  if (known?.kind === 'user') {
    if (known.state !== 'sent') moveToEnd(draft, id);
    put(draft, parent, { ...known, ...SENT });
    return;
  }
  if (isOfCli(line, blocks)) addNote(draft, id, at, blocksText(blocks));
  else put(draft, parent, { kind: 'user', id, at, blocks, ...SENT });
}

/** Whether the CLI wrote something in the user's name: everything a person says comes through the host. */
function isOfCli({ frame, from }: WireLine, blocks: readonly Block[]): boolean {
  if (text(frame.parent_tool_use_id) !== undefined) return false;
  return from === 'cli' || frame.isSynthetic === true || isCommandText(blocksText(blocks));
}

function addNote(draft: Draft, id: string, at: number, said: string): void {
  const words = cliWords(said);
  if (words !== '') put(draft, undefined, { kind: 'note', id, at, level: 'info', text: words });
}

const SENT = { state: 'sent' } as const;

function isToolResult(block: WireObject): boolean {
  return block.type === 'tool_result';
}

function foldToolResult(draft: Draft, result: WireObject, frame: WireObject, at: number): void {
  const details = isObject(frame.tool_use_result) ? frame.tool_use_result : undefined;
  changeTool(draft, String(result.tool_use_id), (tool) => ({
    ...tool,
    state: result.is_error === true ? 'failed' : 'done',
    result: readBlocks(result.content).map(withoutTags),
    details,
    endedAt: at,
    partialInput: undefined,
  }));
  if (result.is_error !== true) foldTodos(draft, String(result.tool_use_id));
}

/** The CLI wraps what it says about a call that could not run. */
function withoutTags(block: Block): Block {
  if (block.type !== 'text') return block;
  const [, said = block.text] = /^<tool_use_error>(.*)<\/tool_use_error>\s*$/s.exec(block.text) ?? [];
  return said === block.text ? block : { ...block, text: said };
}

/** A turn shows the to-do list once, at the last call that has changed it. */
function foldTodos(draft: Draft, id: string): void {
  const tool = find(draft, draft.parents.get(id), id);
  if (tool?.kind !== 'tool') return;
  const { name, input, result } = tool;
  const after = todosAfter(draft.todos, { name, input, result: blocksText(result) });
  if (after === draft.todos) return;
  if (draft.todosAt !== undefined)
    changeTool(draft, draft.todosAt, (earlier) => ({ ...earlier, todos: undefined }));
  changeTool(draft, id, (item) => ({ ...item, todos: [...after.values()] }));
  draft.todos = after;
  draft.todosAt = name === 'TaskCreate' || name === 'TaskUpdate' ? id : undefined;
}
