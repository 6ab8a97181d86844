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
export interface UiToolCall {
  /** The id of the call. */
  readonly toolCallId: string;
  /** The CLI runs it. */
  readonly providerExecuted: true;
  /** The page has no list of the CLI's tools. */
  readonly dynamic: true;
}

/** Where an AG-UI event comes from. */
export interface AgUiOrigin {
  /** The run of a subagent; absent for the main conversation. Its first run has the id of the tool call that started it. */
  readonly subagentRunId?: string;
}

/** The tokens of a run, as AG-UI counts them. */
export interface AgUiUsage {
  /** All tokens that the model read, with those of the cache. */
  readonly inputTokens: number;
  /** Tokens written by the model. */
  readonly outputTokens: number;
  /** Tokens read from the cache. */
  readonly cachedInputTokens: number;
  /** Tokens written to the cache. */
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
    } & AgUiOrigin)
  | ({
      readonly type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT';
      readonly messageId: string;
      readonly delta: string;
    } & AgUiOrigin)
  | ({
      readonly type: 'TEXT_MESSAGE_END' | 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END';
      readonly messageId: string;
    } & AgUiOrigin)
  | ({
      readonly type: 'REASONING_MESSAGE_START';
      readonly messageId: string;
      readonly role: 'reasoning';
    } & AgUiOrigin)
  | ({
      readonly type: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolCallName: string;
    } & AgUiOrigin)
  | ({ readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string } & AgUiOrigin)
  | ({ readonly type: 'TOOL_CALL_END'; readonly toolCallId: string } & AgUiOrigin)
  | ({
      readonly type: 'TOOL_CALL_RESULT';
      readonly messageId: string;
      readonly toolCallId: string;
      readonly content: string;
    } & AgUiOrigin)
  | {
      readonly type: 'SUBAGENT_STARTED';
      readonly subagentRunId: string;
      readonly name: string;
      readonly parentToolCallId: string;
      readonly parentSubagentRunId?: string;
    }
  | { readonly type: 'SUBAGENT_FINISHED'; readonly subagentRunId: string }
  | ({ readonly type: 'CUSTOM'; readonly name: string; readonly value: unknown } & AgUiOrigin);
