import { isObject } from '../../../src/wire/protocol/frames.js';
import type {
  DenialItem,
  LimitItem,
  RetryItem,
  TaskItem,
  TextItem,
  TodosItem,
  TurnEndItem,
  Item as WireItem,
  ToolItem as WireTool,
  UserItem as WireUser,
} from '../../../src/wire/protocol/reading/items.js';
import { traceLine } from '../../../src/wire/trace/format.js';
import { CostTotals, type TurnCost } from '../../shared/model/totals.js';
import { makeRow } from '../../shared/model/wire-row.js';
import { shortTime } from '../ui/time.js';
import { blocksText, readBlocks } from './blocks.js';
import { cliWords, isCommandText } from './cli-words.js';
import { changeTool, type Draft, find, moveToEnd, put } from './draft.js';
import type { Block, NoteItem, WireLine } from './items.js';

/** Shows what a line has changed. An item that no row shows, such as an answer's tokens, changes nothing. */
export function showChange(draft: Draft, item: WireItem, line: WireLine): void {
  switch (item.kind) {
    case 'text':
    case 'thinking':
      showText(draft, item, line);
      break;
    case 'tool':
      showTool(draft, item, line);
      break;
    case 'user':
      showUser(draft, item, line);
      break;
    case 'todos':
      showTodos(draft, item);
      break;
    case 'denial':
      showDenial(draft, item);
      // Other denials are of rules and modes that somebody chose.
      if (item.by === 'classifier')
        addNote(draft, line, { id: `denial-${line.n}`, level: 'warning', text: checkDenialText(item) });
      break;
    case 'turn-end':
      showTurnEnd(draft, item, line);
      break;
    case 'task':
      showTask(draft, item, line);
      break;
    case 'compaction':
      if (item.state === 'done') addNote(draft, line, { id: item.id, text: COMPACTED });
      break;
    case 'retry':
      addNote(draft, line, { id: item.id, level: 'warning', text: retryText(item) });
      break;
    case 'limit':
      if (item.status !== 'allowed' && item.info.status !== undefined) noteLimit(draft, item, line);
      break;
    case 'note':
      addNote(draft, line, item);
      break;
    default:
  }
}

const COMPACTED = 'The history up to here was replaced by a summary.';

function showText(draft: Draft, item: TextItem, { at }: WireLine): void {
  const known = find(draft, item.agent ?? undefined, item.id);
  put(draft, item.agent ?? undefined, { ...item, at: known?.at ?? at });
}

function showTool(draft: Draft, item: WireTool, { at }: WireLine): void {
  const parent = item.agent ?? undefined;
  const found = find(draft, parent, item.id);
  const known = found?.kind === 'tool' ? found : undefined;
  const isOver = item.state !== 'writing' && item.state !== 'running';
  put(draft, parent, {
    ...known,
    ...item,
    at: known?.at ?? at,
    result: readBlocks(item.result).map(withoutTags),
    details: isObject(item.details) ? item.details : undefined,
    asking: item.state === 'cut-off' ? undefined : known?.asking,
    endedAt: isOver && item.state !== 'cut-off' ? at : undefined,
    children: known?.children ?? [],
  });
}

/** The CLI wraps what it says about a call that could not run. */
function withoutTags(block: Block): Block {
  if (block.type !== 'text') return block;
  const [, said = block.text] = /^<tool_use_error>(.*)<\/tool_use_error>\s*$/s.exec(block.text) ?? [];
  return said === block.text ? block : { ...block, text: said };
}

function showUser(draft: Draft, item: WireUser, line: WireLine): void {
  const { id, content } = item;
  const parent = item.agent ?? undefined;
  const blocks = readBlocks(content);
  if (blocks.length === 0) return;
  const known = find(draft, parent, id);
  // Newer CLIs echo a message when they pick it up; its content is known then.
  if (known?.kind === 'user') {
    if (known.state !== 'sent') moveToEnd(draft, id);
    put(draft, parent, { ...known, state: 'sent' });
    return;
  }
  if (isOfCli(item, line, blocks)) addNote(draft, line, { id, text: cliWords(blocksText(blocks)) });
  else put(draft, parent, { kind: 'user', id, at: line.at, blocks, state: 'sent' });
}

/** Whether the CLI wrote something in the user's name: everything a person says comes through the host. */
function isOfCli({ agent }: WireUser, { from, frame }: WireLine, blocks: readonly Block[]): boolean {
  if (agent !== null) return false;
  return from === 'cli' || frame.isSynthetic === true || isCommandText(blocksText(blocks));
}

/** A turn shows the to-do list once, at the last call that has changed it. */
function showTodos(draft: Draft, { call, todos }: TodosItem): void {
  if (draft.todosAt !== undefined)
    changeTool(draft, draft.todosAt, (earlier) => ({ ...earlier, todos: undefined }));
  draft.todosAt = undefined;
  changeTool(draft, call, (tool) => {
    if (tool.name === 'TaskCreate' || tool.name === 'TaskUpdate') draft.todosAt = call;
    return { ...tool, todos };
  });
}

function checkDenialText({ tool, why, reason }: DenialItem): string {
  return `The CLI denied ${tool} itself: ${why ?? reason ?? 'it gave no reason'}.`;
}

/** Its result may still come, with the reason. */
function showDenial(draft: Draft, { call }: DenialItem): void {
  changeTool(draft, call, (tool) => (tool.result.length > 0 ? tool : { ...tool, state: 'failed' }));
}

function showTurnEnd(draft: Draft, item: TurnEndItem, line: WireLine): void {
  draft.todosAt = undefined;
  const cost = costOf(draft, line);
  if (cost !== undefined) draft.turns.push(cost);
  put(draft, undefined, { ...item, at: line.at, turnUsd: cost?.costUsd ?? 0 });
}

function costOf({ turns, cutOff }: Draft, { n, at, from, frame }: WireLine): TurnCost | undefined {
  const totals = new CostTotals(turns.at(-1));
  totals.take(makeRow({ at: n, entry: traceLine({ kind: 'line', t: at, from, line: '', frame }) }, 0, at));
  const [cost] = totals.turns;
  // Older CLIs report the sum of all turns: if earlier ones are unknown, so is this one's share.
  const isUnknown = cutOff && turns.length === 0 && frame.model_usage_since_last_result === undefined;
  return cost !== undefined && isUnknown ? { ...cost, costUsd: 0 } : cost;
}

function showTask(draft: Draft, item: TaskItem, { at }: WireLine): void {
  const known = draft.tasks.get(item.id);
  const endedAt = item.running ? undefined : (known?.endedAt ?? at);
  draft.tasks.set(item.id, { ...item, startedAt: known?.startedAt ?? at, endedAt });
}

function retryText({ error, delayMs, attempt, maxRetries }: RetryItem): string {
  return `The API call failed (${error}); retrying in ${Math.round(delayMs / 1000)} s (${attempt} of ${maxRetries}).`;
}

/** CLIs report it with each turn; it is told once. */
function noteLimit(draft: Draft, item: LimitItem, line: WireLine): void {
  const text = limitText(item);
  const id = `limit: ${text}`;
  if (!draft.places.has(id)) addNote(draft, line, { id, level: 'warning', text });
}

function limitText({ status, resetsAt }: LimitItem): string {
  const until = resetsAt === undefined ? '' : `; it resets at ${shortTime(resetsAt)}`;
  return status === 'rejected' ? `A usage limit is reached${until}.` : `A usage limit is close${until}.`;
}

/** Adds a note between messages. */
export function addNote(
  draft: Draft,
  { at }: WireLine,
  { id, text, level = 'info' }: Pick<NoteItem, 'id' | 'text'> & { readonly level?: NoteItem['level'] },
): void {
  if (text !== '') put(draft, undefined, { kind: 'note', id, at, level, text });
}
