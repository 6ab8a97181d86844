import type { TokenCount } from './token-count.js';

/** What a UI message says about its turn, in its metadata. */
export interface UiMessageFacts {
  /** The tokens of the turn. */
  readonly tokens: TokenCount;
  /** What the CLI has cost so far, in dollars. */
  readonly costUsd: number | undefined;
  /** How long the turn took. */
  readonly durationMs: number | undefined;
}

/** A part of an AI SDK UI message stream: those that the turns of a CLI have. */
export type UiMessageChunk =
  | { readonly type: 'start'; readonly messageId?: string }
  | { readonly type: 'start-step' | 'finish-step' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | ({ readonly type: 'tool-input-start'; readonly toolName: string } & UiToolCall)
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | ({
      readonly type: 'tool-input-available';
      readonly toolName: string;
      readonly input: unknown;
    } & UiToolCall)
  | ({ readonly type: 'tool-output-available'; readonly output: unknown } & UiToolCall)
  | ({ readonly type: 'tool-output-error'; readonly errorText: string } & UiToolCall)
  | { readonly type: `data-${string}`; readonly id: string; readonly data: unknown }
  | { readonly type: 'error'; readonly errorText: string }
  | { readonly type: 'abort' }
  | {
      readonly type: 'finish';
      readonly finishReason: 'stop' | 'length' | 'content-filter' | 'error' | 'other';
      readonly messageMetadata: UiMessageFacts;
    };

/** A call of a tool that the CLI runs and the page does not know. */
interface UiToolCall {
  readonly toolCallId: string;
  readonly providerExecuted: true;
  readonly dynamic: true;
}

/** The subagent that an AG-UI event is about: the id of the tool call that started it. */
export interface OfSubagent {
  readonly subagentRunId?: string;
}

/** The tokens of a run, as AG-UI counts them. */
export interface AgUiUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
}

/** An event of the AG-UI protocol 1.0: those that the turns of a CLI have. */
export type AgUiEvent =
  | { readonly type: 'RUN_STARTED'; readonly threadId: string; readonly runId: string }
  | {
      readonly type: 'RUN_FINISHED';
      readonly threadId: string;
      readonly runId: string;
      readonly result: string;
      readonly outcome: { readonly type: 'success' | 'cancelled' };
      readonly usage: readonly AgUiUsage[];
    }
  | { readonly type: 'RUN_ERROR'; readonly message: string; readonly usage?: readonly AgUiUsage[] }
  | ({
      readonly type: 'TEXT_MESSAGE_START';
      readonly messageId: string;
      readonly role: 'assistant';
    } & OfSubagent)
  | ({
      readonly type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT';
      readonly messageId: string;
      readonly delta: string;
    } & OfSubagent)
  | ({
      readonly type: 'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END';
      readonly messageId: string;
    } & OfSubagent)
  | ({
      readonly type: 'REASONING_MESSAGE_START';
      readonly messageId: string;
      readonly role: 'reasoning';
    } & OfSubagent)
  | ({
      readonly type: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolCallName: string;
    } & OfSubagent)
  | ({ readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string } & OfSubagent)
  | ({ readonly type: 'TOOL_CALL_END'; readonly toolCallId: string } & OfSubagent)
  | ({
      readonly type: 'TOOL_CALL_RESULT';
      readonly messageId: string;
      readonly toolCallId: string;
      readonly content: string;
    } & OfSubagent)
  | {
      readonly type: 'SUBAGENT_STARTED';
      readonly subagentRunId: string;
      readonly name: string;
      readonly parentToolCallId: string;
      readonly parentSubagentRunId?: string;
    }
  | { readonly type: 'SUBAGENT_FINISHED'; readonly subagentRunId: string }
  | ({ readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown } & OfSubagent);
