import { randomUUID } from 'node:crypto';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { RecentMap } from '../../wire/util/maps.js';
import type { ClientAbilities } from './client-abilities.js';
import { TaskPlan } from './plan.js';
import { shownCall } from './tool-calls.js';
import { finishedCall, resultText } from './tool-results.js';
import { usageUpdate } from './usage-update.js';

/** The target of updates. */
export interface UpdateOptions {
  readonly cwd: string;
  readonly abilities: ClientAbilities;
}

interface Call {
  readonly name: string;
  readonly input: WireObject;
}

/** How many calls and messages are remembered. */
const REMEMBERED = 2_000;

/** Turns the messages of a CLI, and those of a transcript, into updates of the protocol. */
export class MessageUpdates {
  readonly #options: UpdateOptions;
  readonly #plan = new TaskPlan();
  readonly #calls = new RecentMap<string, Call>(REMEMBERED);
  /** Messages whose text arrived in pieces. */
  readonly #streamed = new RecentMap<string, true>(REMEMBERED);
  #message = '';
  /** The usage of the last model call. */
  #usage: WireObject = {};
  #compaction: string | undefined;
  /** Whether the model has sent any text in this turn. */
  #spoke = false;

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  /** The updates for a message. For subagents only tool calls are shown: their text is not the answer. */
  of(message: WireObject): readonly SessionUpdate[] {
    const isSubagent = typeof message.parent_tool_use_id === 'string';
    switch (message.type) {
      case 'stream_event':
        return isSubagent || !isObject(message.event) ? [] : this.#piece(message.event);
      case 'assistant':
        return isObject(message.message) ? this.#said(message.message, isSubagent) : [];
      case 'user':
        return isObject(message.message) ? this.#heard(message.message) : [];
      case 'system':
        return this.#system(message);
      case 'result':
        return this.#result(message);
      default:
        return [];
    }
  }

  /** A person's message, as shown for an earlier conversation. */
  person(content: unknown): readonly SessionUpdate[] {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
    return blocks.flatMap((block) => {
      if (block.type !== 'text' || typeof block.text !== 'string' || isInternal(block.text)) return [];
      return [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: block.text } }];
    });
  }

  /** Announces a call once: the CLI may ask for permission before it reports the call. */
  announce(id: string, name: string, input: WireObject): readonly SessionUpdate[] {
    if (this.#calls.has(id)) return [];
    this.#calls.set(id, { name, input });
    if (TaskPlan.isFor(name)) return this.#planned(this.#plan.called({ name, input }));
    const { cwd, abilities } = this.#options;
    const shown = shownCall(name, input, cwd);
    const isTerminal = name === 'Bash' && abilities.terminalOutput;
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: id,
        name,
        status: 'pending',
        rawInput: input,
        ...shown,
        ...(isTerminal
          ? {
              content: [{ type: 'terminal', terminalId: id }],
              _meta: { terminal_info: { terminal_id: id, cwd } },
            }
          : {}),
      },
    ];
  }

  #piece(event: WireObject): readonly SessionUpdate[] {
    if (event.type === 'message_start') {
      this.#message = isObject(event.message) ? String(event.message.id) : randomUUID();
      this.#streamed.set(this.#message, true);
      this.#usage = {};
      if (isObject(event.message) && isObject(event.message.usage)) this.#count(event.message.usage);
      return [];
    }
    if (event.type === 'message_delta' && isObject(event.usage)) this.#count(event.usage);
    if (event.type !== 'content_block_delta' || !isObject(event.delta)) return [];
    const { type, text, thinking } = event.delta;
    if (type === 'text_delta') return this.#chunk('agent_message_chunk', text, this.#message);
    return type === 'thinking_delta' ? this.#chunk('agent_thought_chunk', thinking, this.#message) : [];
  }

  #said({ id, content, usage }: WireObject, isSubagent: boolean): readonly SessionUpdate[] {
    const messageId = typeof id === 'string' ? id : randomUUID();
    const isStreamed = this.#streamed.has(messageId);
    if (!isSubagent && !isStreamed && isObject(usage)) this.#usage = usage;
    const isShown = isSubagent || isStreamed;
    return objectsIn(content).flatMap((block) => {
      if (block.type === 'tool_use')
        return this.announce(String(block.id), String(block.name), isObject(block.input) ? block.input : {});
      if (isShown) return [];
      if (block.type === 'text') return this.#chunk('agent_message_chunk', block.text, messageId);
      return block.type === 'thinking' ? this.#chunk('agent_thought_chunk', block.thinking, messageId) : [];
    });
  }

  #heard({ content }: WireObject): readonly SessionUpdate[] {
    if (typeof content === 'string') return this.#commandOutput(content);
    return objectsIn(content).flatMap((block) => {
      if (block.type === 'text' && typeof block.text === 'string') return this.#commandOutput(block.text);
      return block.type === 'tool_result' ? this.#finished(block) : [];
    });
  }

  #finished(block: WireObject): readonly SessionUpdate[] {
    const id = String(block.tool_use_id);
    const call = this.#calls.get(id);
    if (call === undefined) return [];
    if (TaskPlan.isFor(call.name)) {
      return this.#planned(this.#plan.answered({ ...call, result: resultText(block) }));
    }
    const asTerminal = this.#options.abilities.terminalOutput;
    const update = finishedCall({ id, name: call.name, block, asTerminal });
    return [{ sessionUpdate: 'tool_call_update', ...update }];
  }

  #planned(plan: ReturnType<TaskPlan['called']>): readonly SessionUpdate[] {
    return plan === undefined ? [] : [{ sessionUpdate: 'plan', ...plan }];
  }

  /** The output of a slash command. */
  #commandOutput(text: string): readonly SessionUpdate[] {
    const output = /<local-command-std(?:out|err)>([\s\S]*?)<\/local-command-std(?:out|err)>/.exec(text)?.[1];
    return this.#chunk('agent_message_chunk', output, randomUUID());
  }

  #system({ subtype, status, content }: WireObject): readonly SessionUpdate[] {
    if (subtype === 'api_retry') return this.#options.abilities.notices ? [RETRY] : [];
    if (subtype === 'local_command_output') return this.#chunk('agent_message_chunk', content, randomUUID());
    if (!this.#options.abilities.compaction) return [];
    if (subtype === 'status' && status === 'compacting') {
      this.#compaction ??= randomUUID();
      return [compaction(this.#compaction, 'in_progress')];
    }
    if (subtype !== 'compact_boundary') return [];
    const id = this.#compaction ?? randomUUID();
    this.#compaction = undefined;
    return [compaction(id, 'completed')];
  }

  /** The answer of some slash commands is only in the result. */
  #result(result: WireObject): readonly SessionUpdate[] {
    const isSilent = !this.#spoke && result.subtype === 'success' && result.is_error !== true;
    const words = isSilent ? this.#chunk('agent_message_chunk', result.result, randomUUID()) : [];
    this.#spoke = false;
    return [...words, ...usageUpdate(result, this.#usage)];
  }

  /** The pieces of a message report its usage step by step; earlier values apply until they are replaced. */
  #count(usage: WireObject): void {
    const told = Object.entries(usage).filter(([, value]) => typeof value === 'number' && value > 0);
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
  }

  #chunk(
    sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk',
    text: unknown,
    messageId: string,
  ): readonly SessionUpdate[] {
    if (typeof text !== 'string' || text === '') return [];
    this.#spoke = true;
    return [{ sessionUpdate, content: { type: 'text', text }, messageId }];
  }
}

const RETRY: SessionUpdate = {
  sessionUpdate: 'notice',
  severity: 'warning',
  title: 'A model call failed and will be retried.',
};

function compaction(compactionId: string, status: 'in_progress' | 'completed'): SessionUpdate {
  return { sessionUpdate: 'compaction_update', compactionId, status };
}

/** Text that CLIs write as user messages. */
function isInternal(text: string): boolean {
  return (
    /^\s*<(?:command-|local-command-|system-reminder|task-notification)/.test(text) ||
    text.startsWith('[Request interrupted')
  );
}
