import { asText } from '../../util/as-text.js';
import { RecentMap } from '../../util/maps.js';
import type { WireObject } from '../frames.js';
import type { AgUiEvent, AgUiOrigin, AgUiUsage } from './front-end-parts.js';
import type { Item, ItemChange, TextItem, ToolItem, TurnEndItem } from './items.js';
import { contentText, MessageFold } from './message-fold.js';
import type { TokenCount } from './token-count.js';

/** A tool call, by the name of its subagent if it has one. */
type Call = Pick<ToolItem, 'name' | 'agent'> & { readonly isWriting: boolean };

/**
 * Turns the messages of a CLI into events of the AG-UI protocol 1.0. Each turn is a run. What AG-UI has no event for is a
 * `CUSTOM` event with an item as its value: to-do lists, tasks, retries, limits and so on.
 */
export class AgUiStream {
  readonly #thread: string;
  readonly #fold = new MessageFold();
  /** The subagents of this run, in the order of their starts, with the id of what they do now; none if they have finished. */
  readonly #subagents = new Map<string, string | undefined>();
  /** The latest calls. */
  readonly #calls = new RecentMap<string, Call>(2_000);
  #run: string | undefined;
  #again = 0;

  /** `threadId` names the conversation. */
  constructor({ threadId }: { readonly threadId: string }) {
    this.#thread = threadId;
  }

  /** The events that a message makes. */
  take(message: WireObject): readonly AgUiEvent[] {
    return this.#fold.take(message).flatMap((change) => this.#eventsOf(change));
  }

  /** The events that are missing when the CLI has ended in the middle of a turn. */
  end(): readonly AgUiEvent[] {
    const left = this.#fold.end().flatMap((change) => this.#eventsOf(change));
    if (this.#run === undefined) return left;
    return [...left, ...this.#close(), { type: 'RUN_ERROR', message: 'The CLI ended.' }];
  }

  /** An event of your own, in the running run or a new one: a prompt for a person, for example. */
  custom(name: string, id: string, value: unknown): readonly AgUiEvent[] {
    return [...this.#begin({ kind: name, id }), { type: 'CUSTOM', name, value }];
  }

  #eventsOf(change: ItemChange): readonly AgUiEvent[] {
    const { item } = change;
    if (item.kind === 'user') return [];
    const begun = this.#begin(item);
    if (item.kind === 'turn-end') return [...begun, ...this.#turnEnd(item)];
    const announced = [...begun, ...this.#announce(item.agent)];
    switch (item.kind) {
      case 'answer':
        return announced;
      case 'text':
      case 'thinking':
        return [...announced, ...writtenEvents(item, change, this.#of(item))];
      case 'tool':
        return [...announced, ...this.#toolEvents(item, change)];
      default:
        return [...announced, { type: 'CUSTOM', name: item.kind, value: item, ...this.#of(item) }];
    }
  }

  #begin({ kind, id }: { readonly kind: string; readonly id: string }): readonly AgUiEvent[] {
    if (this.#run !== undefined) return [];
    this.#run = `run-${kind}-${id}`;
    return [{ type: 'RUN_STARTED', threadId: this.#thread, runId: this.#run }];
  }

  /** A subagent begins with its first item. One that goes on in the background begins again, under another id. */
  #announce(agent: string | null): readonly AgUiEvent[] {
    if (agent === null || this.#subagents.get(agent) !== undefined) return [];
    this.#again += 1;
    const subagentRunId = this.#subagents.has(agent) ? `${agent}-${this.#again}` : agent;
    const { name = 'subagent', agent: parent = null } = this.#calls.get(agent) ?? {};
    this.#subagents.set(agent, subagentRunId);
    const before = this.#announce(parent);
    const above = parent === null ? {} : { parentSubagentRunId: this.#subagents.get(parent) ?? parent };
    return [...before, { type: 'SUBAGENT_STARTED', subagentRunId, name, parentToolCallId: agent, ...above }];
  }

  #of({ agent }: Item): AgUiOrigin {
    const subagentRunId = agent === null ? undefined : this.#subagents.get(agent);
    return subagentRunId === undefined ? {} : { subagentRunId };
  }

  #toolEvents(item: ToolItem, { isNew, added }: ItemChange): readonly AgUiEvent[] {
    const { id: toolCallId, name, input, inputText, state, result, agent } = item;
    const call = { toolCallId, ...this.#of(item) };
    const wasWriting = this.#calls.get(toolCallId)?.isWriting === true;
    const named = asText(input.subagent_type ?? name);
    this.#calls.set(toolCallId, { name: named, agent, isWriting: state === 'writing' });
    const args = (delta: string): AgUiEvent[] => [{ type: 'TOOL_CALL_ARGS', delta, ...call }];
    const start: AgUiEvent[] = isNew ? [{ type: 'TOOL_CALL_START', toolCallName: name, ...call }] : [];
    if (state === 'writing') return [...start, ...(added === '' ? [] : args(added))];
    const end: AgUiEvent = { type: 'TOOL_CALL_END', ...call };
    if (state === 'running') return [...start, ...(inputText === '' ? args(JSON.stringify(input)) : []), end];
    const before = [...(wasWriting ? [end] : []), ...this.#finish(toolCallId)];
    if (state === 'cut-off') return before;
    const answer = { messageId: `${toolCallId}-result`, content: contentText(result) };
    return [...before, { type: 'TOOL_CALL_RESULT', ...answer, ...call }];
  }

  #finish(agent: string): readonly AgUiEvent[] {
    const subagentRunId = this.#subagents.get(agent);
    if (subagentRunId === undefined) return [];
    this.#subagents.set(agent, undefined);
    return [{ type: 'SUBAGENT_FINISHED', subagentRunId }];
  }

  #turnEnd({ failed, interrupted, text, tokens }: TurnEndItem): readonly AgUiEvent[] {
    const runId = this.#run ?? '';
    const usage = [usageOf(tokens)];
    const left = this.#close();
    if (failed) return [...left, { type: 'RUN_ERROR', message: text, usage }];
    const outcome = { type: interrupted ? 'cancelled' : 'success' } as const;
    return [...left, { type: 'RUN_FINISHED', threadId: this.#thread, runId, result: text, outcome, usage }];
  }

  /** Agents in the background go on after a turn: what they do next belongs to the next run. */
  #close(): readonly AgUiEvent[] {
    const left = [...this.#subagents.keys()].reverse().flatMap((agent) => this.#finish(agent));
    this.#subagents.clear();
    this.#run = undefined;
    return left;
  }
}

/** A text is one message; a thought is one in a span of its own. */
function writtenEvents(item: TextItem, { isNew, added }: ItemChange, of: AgUiOrigin): readonly AgUiEvent[] {
  const message = { messageId: item.id, ...of };
  const isThought = item.kind === 'thinking';
  const kind = isThought ? 'REASONING_MESSAGE' : 'TEXT_MESSAGE';
  const start: AgUiEvent[] = isThought
    ? [
        { type: 'REASONING_START', ...message },
        { type: 'REASONING_MESSAGE_START', role: 'reasoning', ...message },
      ]
    : [{ type: 'TEXT_MESSAGE_START', role: 'assistant', ...message }];
  const span: AgUiEvent[] = isThought ? [{ type: 'REASONING_END', ...message }] : [];
  return [
    ...(isNew ? start : []),
    ...(added === '' ? [] : [{ type: `${kind}_CONTENT`, delta: added, ...message } as const]),
    ...(item.state === 'writing' ? [] : [{ type: `${kind}_END`, ...message } as const, ...span]),
  ];
}

function usageOf({ inputTokens, outputTokens, ...cache }: TokenCount): AgUiUsage {
  const { cacheReadInputTokens: read, cacheCreationInputTokens: written } = cache;
  return {
    inputTokens: inputTokens + read + written,
    outputTokens,
    cachedInputTokens: read,
    cacheWriteInputTokens: written,
  };
}
