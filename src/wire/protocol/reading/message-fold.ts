import { asText } from '../../util/as-text.js';
import { PassingMap, RecentMap } from '../../util/maps.js';
import { isObject, objectsIn, stringIn, type WireObject } from '../frames.js';
import { type Todos, todosAfter } from '../todos.js';
import { readRetry } from './api-retry.js';
import type {
  AnswerItem,
  CompactionItem,
  Item,
  ItemChange,
  RetryItem,
  TaskItem,
  TextItem,
  ToolItem,
} from './items.js';
import { readResult } from './read-result.js';
import { TaskFold } from './task-fold.js';
import { higherTokens, readTokens, totalTokens } from './token-count.js';

/** The most open items, answers and finished calls that are remembered; the oldest are forgotten. */
const MOST = 2_000;
/** A text or an input grows up to this many characters; what follows is still reported as `added`. */
const MOST_TEXT = 4_000_000;

/** A block of an answer. `isWhole` once its complete form has arrived. */
interface Block {
  readonly id: string;
  readonly kind: 'text' | 'thinking' | 'tool';
  isWhole: boolean;
}

/** What the model is writing for one agent, by the index of its blocks. */
interface Answer {
  item: AnswerItem;
  readonly blocks: Map<unknown, Block>;
  /** The ids that its texts have, or had. */
  readonly ids: Set<string>;
  /** Whether its beginning was missed: then its real id is unknown. */
  readonly isNameless: boolean;
}

/**
 * Folds the messages of a CLI, or of a transcript, into the items that people see. It remembers only what is still open, so
 * it does not grow with the conversation. It works with and without partial messages, from any message on.
 */
export class MessageFold {
  /** Texts and tool calls that have not ended. */
  readonly #open = new PassingMap<string, TextItem | ToolItem>();
  readonly #answers = new PassingMap<string | null, Answer>();
  readonly #finished = new RecentMap<string, true>(MOST);
  /** Calls that the end of a CLI has cut off: the transcript may have their results. */
  readonly #left = new PassingMap<string, ToolItem>();
  readonly #todos = new RecentMap<string | null, Todos>(MOST);
  readonly #tasks = new TaskFold((call) => this.#open.has(call));
  /** Calls of this turn that were denied. */
  readonly #denied = new Set<string>();
  #compaction: CompactionItem | undefined;
  #isCompacting = false;
  #retry: RetryItem | undefined;
  #changes: ItemChange[] = [];
  #made = 0;

  /** Tool calls without a result, oldest first; those whose input is still being written are not among them. */
  get running(): readonly ToolItem[] {
    return this.#open
      .values()
      .filter((item) => item.kind === 'tool')
      .filter(({ state }) => state === 'running');
  }

  /** Tasks that have not ended, oldest first. */
  get tasks(): readonly TaskItem[] {
    return this.#tasks.running;
  }

  /** The failed model call that the CLI is about to repeat. */
  get retry(): RetryItem | undefined {
    return this.#retry;
  }

  /** Whether the CLI is compacting the conversation. */
  get isCompacting(): boolean {
    return this.#isCompacting;
  }

  /** The changes that a message makes. Unknown messages make none. */
  take(message: WireObject): readonly ItemChange[] {
    this.#changes = [];
    this.#retry = undefined;
    const agent = stringIn(message.parent_tool_use_id) ?? null;
    switch (message.type) {
      case 'stream_event':
        if (isObject(message.event)) this.#takeEvent(message.event, agent);
        break;
      case 'assistant':
        if (isObject(message.message)) this.#takeAnswer(message, message.message, agent);
        break;
      case 'user':
        if (isObject(message.message)) this.#takeUser(message, message.message.content, agent);
        break;
      case 'system':
        this.#takeSystem(message);
        break;
      case 'rate_limit_event':
        if (isObject(message.rate_limit_info)) this.#takeLimit(message.rate_limit_info);
        break;
      case 'result':
        this.#takeResult(message);
        break;
    }
    return this.#changes;
  }

  /** A tool call that a permission request names: some CLIs ask before they report the call. */
  call(id: string, name: string, input: WireObject, agent: string | null = null): readonly ItemChange[] {
    this.#changes = [];
    this.#called({ id, name, input }, agent);
    return this.#changes;
  }

  /**
   * The CLI is gone: nothing that is open will end on its own. Messages of its transcript may follow, with whole texts and
   * with results.
   */
  end(): readonly ItemChange[] {
    this.#changes = [];
    for (const item of this.#open.values()) {
      this.#cutOff(item);
      if (item.kind === 'tool') keep(this.#left, item.id, item);
    }
    for (const agent of this.#answers.keys()) this.#answers.delete(agent);
    for (const task of this.#tasks.running) this.#putTask({ ...task, running: false, status: 'cut-off' });
    this.#cutOffCompaction();
    this.#isCompacting = false;
    this.#retry = undefined;
    return this.#changes;
  }

  #takeEvent(event: WireObject, agent: string | null): void {
    if (event.type === 'message_start') {
      this.#beginAnswer(isObject(event.message) ? event.message : {}, agent);
      return;
    }
    const answer = this.#answers.get(agent) ?? this.#beginAnswer({}, agent);
    switch (event.type) {
      case 'content_block_start':
        if (isObject(event.content_block)) this.#beginBlock(answer, event.index, event.content_block);
        break;
      case 'content_block_delta':
        if (isObject(event.delta)) this.#grow(answer.blocks.get(event.index), event.delta);
        break;
      case 'message_delta':
        this.#noteAnswer(answer, isObject(event.delta) ? { ...event, ...event.delta } : event);
        break;
      case 'message_stop':
        this.#finishTexts(answer);
        break;
    }
  }

  /** An agent writes one answer at a time: what an earlier one left open stays unfinished. */
  #beginAnswer(message: WireObject, agent: string | null): Answer {
    for (const block of this.#answers.get(agent)?.blocks.values() ?? []) this.#abandon(block);
    const item: AnswerItem = {
      kind: 'answer',
      id: stringIn(message.id) ?? this.#newId('answer'),
      agent,
      model: stringIn(message.model),
      tokens: readTokens(message.usage),
      stopReason: stringIn(message.stop_reason),
    };
    const answer = {
      item,
      blocks: new Map(),
      ids: new Set<string>(),
      isNameless: typeof message.id !== 'string',
    };
    keep(this.#answers, agent, answer);
    this.#change(item, true);
    return answer;
  }

  /** Something else follows in place of a block: nothing more of it comes. */
  #abandon({ id }: Block): void {
    const item = this.#open.get(id);
    if (item?.state === 'writing') this.#cutOff(item);
  }

  #noteAnswer(answer: Answer, { usage, stop_reason, model }: WireObject): void {
    const before = answer.item;
    const tokens = higherTokens(before.tokens, readTokens(usage));
    const stopReason = stringIn(stop_reason) ?? before.stopReason;
    // Counts only grow: equal sums are equal counts.
    if (totalTokens(tokens) === totalTokens(before.tokens) && stopReason === before.stopReason) return;
    answer.item = { ...before, model: stringIn(model) ?? before.model, tokens, stopReason };
    this.#change(answer.item, false);
  }

  #beginBlock(begun: Answer, index: unknown, block: WireObject): void {
    const { item, blocks, ids } = begun;
    const { id: answer, agent } = item;
    const kind = kindOf(block);
    if (kind === undefined || blocks.size >= MOST || ids.size >= MOST) return;
    const known = blocks.get(index);
    const place = () => (known?.kind === kind ? known.id : freeId(begun, index));
    const id = kind === 'tool' ? asText(block.id) : place();
    if (known !== undefined && known.id !== id) this.#abandon(known);
    blocks.set(index, { id, kind, isWhole: false });
    if (this.#open.has(id) || this.#finished.has(id)) return;
    this.#put(
      kind === 'tool'
        ? newTool({ id, agent, name: asText(block.name) })
        : { kind, id, agent, answer, text: '', state: 'writing' },
      '',
    );
  }

  #grow(block: Block | undefined, delta: WireObject): void {
    const added = stringIn(delta.text) ?? stringIn(delta.thinking) ?? stringIn(delta.partial_json);
    const item = block === undefined ? undefined : this.#open.get(block.id);
    if (item?.state !== 'writing' || !added) return;
    this.#put(
      item.kind === 'tool'
        ? { ...item, inputText: grown(item.inputText, added) }
        : { ...item, text: grown(item.text, added) },
      added,
    );
  }

  /** Each text ends with its whole message; this is for those without one. */
  #finishTexts({ blocks }: Answer): void {
    for (const { id } of blocks.values()) {
      const item = this.#open.get(id);
      if (item !== undefined && item.kind !== 'tool') this.#put({ ...item, state: 'done' }, '');
    }
  }

  /** CLIs report the blocks of an answer one by one, each in a message with the answer's id. */
  #takeAnswer(message: WireObject, { id, content, ...said }: WireObject, agent: string | null): void {
    const current = this.#answers.get(agent);
    const isCurrent = current !== undefined && (current.isNameless || current.item.id === id);
    const answer = isCurrent ? current : this.#beginAnswer({ id, ...said }, agent);
    this.#noteAnswer(answer, said);
    for (const block of objectsIn(content)) {
      const kind = kindOf(block);
      if (kind === 'tool') this.#called(block, agent);
      else if (kind !== undefined) this.#wholeText(answer, kind, block, stringIn(message.error));
      else if (isToolResult(block)) this.#answered(block, undefined);
    }
  }

  #wholeText(answer: Answer, kind: TextItem['kind'], block: WireObject, error: string | undefined): void {
    const { blocks } = answer;
    const whole = stringIn(block[kind]) ?? '';
    const streamed = [...blocks.values()].find((each) => each.kind === kind && !each.isWhole);
    if (streamed !== undefined) {
      streamed.isWhole = true;
      const item = this.#open.get(streamed.id);
      // A streamed text may lack pieces: the whole one has them.
      if (item?.kind === kind) {
        const added = whole.startsWith(item.text) ? whole.slice(item.text.length) : '';
        this.#put({ ...item, text: grown('', whole), state: 'done', error }, added);
      }
      return;
    }
    const { id, agent } = answer.item;
    const place = freeId(answer, blocks.size);
    blocks.set(place, { id: place, kind, isWhole: true });
    if (whole !== '')
      this.#put({ kind, id: place, agent, answer: id, text: grown('', whole), state: 'done', error }, whole);
  }

  #called({ id: given, name, input }: WireObject, agent: string | null): void {
    const id = asText(given);
    const known = this.#open.get(id);
    if (this.#finished.has(id) || (known !== undefined && known.state !== 'writing')) return;
    const begun = known?.kind === 'tool' ? known : newTool({ id, agent, name: asText(name) });
    this.#put({ ...begun, state: 'running', input: isObject(input) ? input : {} }, '');
  }

  #takeUser(message: WireObject, content: unknown, agent: string | null): void {
    const blocks = objectsIn(content);
    const results = blocks.filter(isToolResult);
    for (const result of results) this.#answered(result, message.tool_use_result);
    const words =
      typeof content === 'string' ? content : blocks.map((block) => stringIn(block.text)).join('\n');
    if (results.length > 0 || content === undefined || message.isMeta === true) return;
    const id = stringIn(message.uuid) ?? this.#newId('user');
    const printed = PRINTED.exec(words)?.[1];
    if (printed === undefined)
      this.#change({ kind: 'user', id, agent, content, isReplay: message.isReplay === true }, true);
    else if (printed !== '')
      this.#change({ kind: 'note', id, agent, source: 'command', text: printed }, true);
  }

  #answered(block: WireObject, details: unknown): void {
    const id = asText(block.tool_use_id);
    const item = this.#open.get(id) ?? this.#left.get(id);
    if (item?.kind !== 'tool') return;
    this.#left.delete(id);
    const state = block.is_error === true ? 'failed' : 'done';
    this.#put({ ...item, state, result: block.content, details }, '');
    // A refused call has changed nothing.
    if (state === 'done') this.#noteTodos(item, contentText(block.content));
  }

  #noteTodos({ id, name, input, agent }: ToolItem, result: string): void {
    const before = this.#todos.get(agent) ?? NO_TODOS;
    const after = todosAfter(before, { name, input, result });
    if (after === before) return;
    this.#todos.set(agent, after);
    this.#change(
      { kind: 'todos', id: `todos-${agent ?? 'main'}`, agent, todos: [...after.values()], call: id },
      before === NO_TODOS,
    );
  }

  #takeSystem(message: WireObject): void {
    switch (message.subtype) {
      case 'api_retry':
        this.#retry = { kind: 'retry', id: this.#idOf(message), agent: null, ...readRetry(message) };
        this.#change(this.#retry, true);
        break;
      case 'status':
        this.#isCompacting = message.status === 'compacting';
        if (this.#isCompacting && this.#compaction === undefined) {
          this.#compaction = newCompaction(this.#idOf(message));
          this.#change(this.#compaction, true);
        }
        break;
      case 'compact_boundary':
        this.#compacted(message);
        break;
      case 'permission_denied':
        this.#deny(message, stringIn(message.message));
        break;
      case 'local_command_output':
        this.#note(message, 'command', message.content);
        break;
      case 'informational':
        this.#note(message, 'notice', message.content);
        break;
      case 'notification':
        this.#note(message, 'notice', message.text);
        break;
      default:
        for (const task of this.#tasks.changedBy(message)) this.#putTask(task);
    }
  }

  #note(message: WireObject, source: 'command' | 'notice', said: unknown): void {
    if (typeof said !== 'string' || said === '') return;
    this.#change({ kind: 'note', id: this.#idOf(message), agent: null, source, text: said }, true);
  }

  #putTask(task: TaskItem): void {
    const isNew = !this.#tasks.knows(task.id);
    this.#tasks.put(task);
    this.#change(task, isNew);
  }

  #compacted(message: WireObject): void {
    const begun = this.#compaction;
    this.#compaction = undefined;
    const { trigger, pre_tokens, post_tokens } = isObject(message.compact_metadata)
      ? message.compact_metadata
      : {};
    const item: CompactionItem = {
      ...(begun ?? newCompaction(this.#idOf(message))),
      state: 'done',
      trigger: stringIn(trigger),
      tokensBefore: number(pre_tokens),
      tokensAfter: number(post_tokens),
    };
    this.#change(item, begun === undefined);
  }

  #cutOffCompaction(): void {
    if (this.#compaction !== undefined) this.#change({ ...this.#compaction, state: 'cut-off' }, false);
    this.#compaction = undefined;
  }

  #takeLimit(info: WireObject): void {
    const seconds = number(info.resetsAt);
    const resetsAt = seconds === undefined ? undefined : seconds * 1_000;
    const type = stringIn(info.rateLimitType);
    const status = asText(info.status);
    this.#change(
      { kind: 'limit', id: this.#newId('limit'), agent: null, status, type, resetsAt, info },
      true,
    );
  }

  #deny(denial: WireObject, reason: string | undefined): void {
    const { tool_use_id, tool_name, decision_reason_type, decision_reason } = denial;
    const call = asText(tool_use_id);
    if (this.#denied.has(call) || this.#denied.size >= MOST) return;
    this.#denied.add(call);
    const agent = this.#open.get(call)?.agent ?? null;
    this.#change(
      {
        kind: 'denial',
        id: this.#newId('denial'),
        agent,
        call,
        tool: asText(tool_name),
        reason,
        by: stringIn(decision_reason_type),
        why: stringIn(decision_reason),
      },
      true,
    );
  }

  #takeResult(result: WireObject): void {
    const left = this.#open.values().filter((item) => this.#isOfTurn(item));
    for (const item of left) this.#cutOff(item);
    for (const denial of objectsIn(result.permission_denials)) this.#deny(denial, undefined);
    this.#denied.clear();
    this.#cutOffCompaction();
    this.#change(readResult(result, this.#idOf(result)), true);
  }

  /** Agents in the background go on after a turn: their call has its result, but not their own calls. */
  #isOfTurn(item: TextItem | ToolItem): boolean {
    const seen = new Set<string>();
    let { agent } = item;
    while (agent !== null && !seen.has(agent)) {
      seen.add(agent);
      const call = this.#open.get(agent);
      if (call === undefined) return false;
      agent = call.agent;
    }
    return true;
  }

  #cutOff(item: TextItem | ToolItem): void {
    this.#put({ ...item, state: 'cut-off' }, '');
  }

  /** Reports a text or a call, and remembers it while it is open. */
  #put(item: TextItem | ToolItem, added: string): void {
    const isNew = !this.#open.has(item.id) && !this.#finished.has(item.id);
    if (item.state === 'writing' || item.state === 'running') keep(this.#open, item.id, item);
    else {
      this.#open.delete(item.id);
      if (item.kind === 'tool') this.#finished.set(item.id, true);
    }
    this.#change(item, isNew, added);
  }

  #change(item: Item, isNew: boolean, added = ''): void {
    this.#changes.push({ item, isNew, added });
  }

  #idOf(message: WireObject): string {
    return stringIn(message.uuid) ?? this.#newId(asText(message.subtype));
  }

  #newId(kind: string): string {
    this.#made += 1;
    return `${kind}-${this.#made}`;
  }
}

const NO_TODOS: Todos = new Map();

/** How CLIs write down the output of a slash command. */
const PRINTED = /<local-command-std(?:out|err)>([\s\S]*?)<\/local-command-std(?:out|err)>/;

/** The text of a content as on the wire: the content itself, or its text blocks. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((block) => (block.type === 'text' ? (stringIn(block.text) ?? '') : ''))
    .join('');
}

/** The id of a block of an answer: its index, unless a block has that, because a stream skipped some. */
function freeId({ item: { id, agent }, blocks, ids }: Answer, index: unknown): string {
  const start = agent === null ? id : `${agent}:${id}`;
  let found = `${start}:${String(index)}`;
  for (let next = blocks.size; ids.has(found); next += 1) found = `${start}:${next}`;
  ids.add(found);
  return found;
}

function kindOf({ type }: WireObject): Block['kind'] | undefined {
  if (type === 'text' || type === 'thinking') return type;
  return type === 'tool_use' || type === 'server_tool_use' ? 'tool' : undefined;
}

/** Results of the API's own tools have other types, such as `web_search_tool_result`. */
function isToolResult({ type, tool_use_id: id }: WireObject): boolean {
  return typeof id === 'string' && typeof type === 'string' && type.endsWith('tool_result');
}

function newTool({ id, agent, name }: Pick<ToolItem, 'id' | 'agent' | 'name'>): ToolItem {
  return { kind: 'tool', id, agent, name, input: {}, inputText: '', state: 'writing' };
}

function newCompaction(id: string): CompactionItem {
  const unknown = { trigger: undefined, tokensBefore: undefined, tokensAfter: undefined };
  return { kind: 'compaction', id, agent: null, state: 'running', ...unknown };
}

function grown(before: string, added: string): string {
  return before.length + added.length <= MOST_TEXT ? before + added : (before + added).slice(0, MOST_TEXT);
}

/** Adds an entry; the oldest one is dropped if a CLI never ends them. */
function keep<Key, Value>(map: PassingMap<Key, Value>, key: Key, value: Value): void {
  map.set(key, value);
  if (map.size <= MOST) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
