import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { blocksIn, isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import type { CompactionItem, ItemChange, ToolItem, TurnEndItem } from '../../wire/protocol/reading/items.js';
import { contentText, MessageFold } from '../../wire/protocol/reading/message-fold.js';
import { readTokens, type TokenCount } from '../../wire/protocol/reading/token-count.js';
import type { ClientAbilities } from './client-abilities.js';
import { shownCall } from './tool-calls.js';
import { usageUpdate } from './usage-update.js';

/** The target of updates. */
export interface UpdateOptions {
  readonly cwd: string;
  readonly abilities: ClientAbilities;
}

/** Tools whose calls are shown as a plan. */
const PLAN_TOOLS: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

/** Turns the messages of a CLI, and those of a transcript, into updates of the protocol. */
export class MessageUpdates {
  readonly #options: UpdateOptions;
  readonly #fold = new MessageFold();
  /** The tokens of the last model call. */
  #tokens: TokenCount = readTokens(undefined);
  /** Whether the model has sent any text in this turn. */
  #spoke = false;

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  /** The updates for a message. For subagents only tool calls are shown: their text is not the answer. */
  of(message: WireObject): readonly SessionUpdate[] {
    return this.#fold.take(message).flatMap((change) => this.#updatesOf(change));
  }

  /** A person's message, as shown for an earlier conversation. */
  person(content: unknown): readonly SessionUpdate[] {
    const blocks = blocksIn(content);
    return blocks.flatMap((block) => {
      if (block.type !== 'text' || typeof block.text !== 'string' || isInternal(block.text)) return [];
      return [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: block.text } }];
    });
  }

  /** Announces a call once: the CLI may ask for permission before it reports the call. */
  announce(id: string, name: string, input: WireObject): readonly SessionUpdate[] {
    return this.#fold.call(id, name, input).flatMap((change) => this.#updatesOf(change));
  }

  #updatesOf({ item, added }: ItemChange): readonly SessionUpdate[] {
    if (item.kind === 'tool') return PLAN_TOOLS.has(item.name) ? [] : this.#call(item);
    if (item.agent !== null) return [];
    switch (item.kind) {
      case 'text':
        return this.#chunk('agent_message_chunk', added, item.answer);
      case 'thinking':
        return this.#chunk('agent_thought_chunk', added, item.answer);
      case 'answer':
        this.#tokens = item.tokens;
        return [];
      case 'todos':
        return [
          { sessionUpdate: 'plan', entries: item.todos.map((todo) => ({ ...todo, priority: 'medium' })) },
        ];
      case 'note':
        return item.source === 'command' ? this.#chunk('agent_message_chunk', item.text, item.id) : [];
      case 'retry':
        return this.#options.abilities.notices ? [RETRY] : [];
      case 'compaction':
        return this.#options.abilities.compaction && item.state !== 'cut-off' ? [compaction(item)] : [];
      case 'turn-end':
        return this.#end(item);
      default:
        return [];
    }
  }

  #call(item: ToolItem): readonly SessionUpdate[] {
    const { id, name, input, state } = item;
    const { cwd, abilities } = this.#options;
    if (state === 'done' || state === 'failed')
      return [{ sessionUpdate: 'tool_call_update', ...finishedCall(item, abilities.terminalOutput) }];
    if (state !== 'running') return [];
    const isTerminal = name === 'Bash' && abilities.terminalOutput;
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: id,
        name,
        status: 'pending',
        rawInput: input,
        ...shownCall(name, input, cwd),
        ...(isTerminal
          ? {
              content: [{ type: 'terminal', terminalId: id }],
              _meta: { terminal_info: { terminal_id: id, cwd } },
            }
          : {}),
      },
    ];
  }

  /** The answer of some slash commands is only in the result. */
  #end(item: TurnEndItem): readonly SessionUpdate[] {
    const isSilent = !this.#spoke && !item.failed && !item.interrupted;
    const words = isSilent ? this.#chunk('agent_message_chunk', item.text, item.id) : [];
    this.#spoke = false;
    return [...words, ...usageUpdate(item, this.#tokens)];
  }

  #chunk(
    sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
    text: string,
    messageId: string,
  ): readonly SessionUpdate[] {
    if (text === '') return [];
    this.#spoke = true;
    return [{ sessionUpdate, content: { type: 'text', text }, messageId }];
  }
}

const RETRY: SessionUpdate = {
  sessionUpdate: 'notice',
  severity: 'warning',
  title: 'A model call failed and will be retried.',
};

function compaction({ id, state }: CompactionItem): SessionUpdate {
  const status = state === 'done' ? 'completed' : 'in_progress';
  return { sessionUpdate: 'compaction_update', compactionId: id, status };
}

/** Text that CLIs write as user messages. */
function isInternal(text: string): boolean {
  return (
    /^\s*<(?:command-|local-command-|system-reminder|task-notification)/.test(text) ||
    text.startsWith('[Request interrupted')
  );
}

/** Tools whose call already shows what they did. */
const SHOWN_BY_CALL: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** What a result adds to its call; `asTerminal` if the client shows command output in terminals. */
function finishedCall({ id, name, state, result }: ToolItem, asTerminal: boolean): ToolCallUpdate {
  const failed = state === 'failed';
  const update = { toolCallId: id, status: failed ? 'failed' : 'completed', rawOutput: result } as const;
  if (name === 'Bash' && asTerminal)
    return { ...update, _meta: terminalEnd(id, contentText(result), failed) };
  if (!failed && SHOWN_BY_CALL.has(name)) return update;
  const isRaw = failed || name === 'Bash' || name === 'Read';
  const content = isRaw ? fenced(contentText(result)) : callContent(result);
  return content.length === 0 ? update : { ...update, content };
}

/** Editors that know these keys show the output as a terminal. */
function terminalEnd(id: string, data: string, failed: boolean) {
  return {
    terminal_output: { terminal_id: id, data },
    terminal_exit: { terminal_id: id, exit_code: failed ? 1 : 0, signal: null },
  };
}

function callContent(content: unknown): ToolCallContent[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return objectsIn(content).flatMap((block) => shown(block));
}

function shown(block: WireObject): ToolCallContent[] {
  if (block.type === 'text' && typeof block.text === 'string') return [text(block.text)];
  const { source } = block;
  if (block.type !== 'image' || !isObject(source) || source.type !== 'base64') return [];
  const image = { type: 'image', data: String(source.data), mimeType: String(source.media_type) } as const;
  return [{ type: 'content', content: image }];
}

/** Raw output, in a fence that is longer than any inside it. */
function fenced(output: string): ToolCallContent[] {
  if (output === '') return [];
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [text(`${fence}\n${output.replace(/\n$/, '')}\n${fence}`)];
}

function text(given: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: given } };
}
