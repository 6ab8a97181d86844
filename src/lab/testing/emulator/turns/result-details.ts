import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { CALL_USAGE } from '../../builders/assistant.js';
import type { ErrorResultSubtype } from '../../builders/result.js';
import type { Cli } from '../cli.js';
import { resolvedModel } from '../cli.js';
import type { Traits } from '../versions/traits.js';
import type { Turn } from './emulated-turn.js';

/** The cost of one model call here, in dollars. */
export const COST_PER_CALL = 0.0001;

/** Tokens and cost by model, in the emulated version's format. */
export function modelUsage({ traits }: Cli, calls: ReadonlyMap<string, number>): WireObject {
  return Object.fromEntries(
    [...calls].map(([model, count]) => [
      model,
      {
        inputTokens: 12 * count,
        outputTokens: 7 * count,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        webSearchRequests: 0,
        costUSD: COST_PER_CALL * count,
        contextWindow: traits.detailed ? 1_000_000 : 200_000,
        ...(!traits.survivesLostReader ? {} : { maxOutputTokens: traits.detailed ? 128_000 : 64_000 }),
        ...(traits.detailed ? usageDetails(model) : {}),
      },
    ]),
  );
}

/** The parts of a result that are not in its turn. */
interface DetailedResult {
  readonly subtype: ErrorResultSubtype | undefined;
  readonly isError: boolean;
  /** Model calls and costs since the last result. */
  readonly since: { readonly calls: number; readonly costUsd: number };
}

/** All model calls. */
export function sumOf(calls: ReadonlyMap<string, number>): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0);
}

/** The keys that only newer CLIs add to a result. */
export function resultDetails(cli: Cli, turn: Turn, { subtype, isError, since }: DetailedResult): WireObject {
  const last = turn.uuids.at(-1);
  return {
    stop_reason: subtype === undefined ? 'end_turn' : subtype === 'error_max_turns' ? 'tool_use' : null,
    terminal_reason: terminalReason(turn, subtype),
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    subagent_stats: NO_SUBAGENTS,
    safety_stops: 0,
    ...(subtype === undefined ? { api_error_status: null } : {}),
    ...(subtype === undefined && !isError ? timings : {}),
    ...(subtype === undefined && !isError && last !== undefined ? firstRequest(cli.traits) : {}),
    ...(last === undefined ? {} : { user_message_uuid: last, user_message_uuids: turn.uuids }),
    ...(turn.messages.length === 0
      ? { origin: { kind: 'task-notification', producer: 'session-task', ...runOf(turn) } }
      : {}),
    queued_turn_count: cli.turns.waiting,
    result_index: cli.state.results,
    ...(cli.traits.tellsLastUsage ? { model_usage_since_last_result: usageSinceLastResult(cli, since) } : {}),
  };
}

function usageSinceLastResult(cli: Cli, { calls, costUsd }: DetailedResult['since']): WireObject {
  if (calls === 0 && costUsd === 0) return {};
  const model = resolvedModel(cli);
  const usage = modelUsage(cli, new Map([[model, calls]]))[model];
  return { [model]: { ...(isObject(usage) ? usage : {}), costUSD: costUsd } };
}

function runOf({ taskRunId }: Turn): WireObject {
  return taskRunId === undefined ? {} : { runId: taskRunId };
}

function terminalReason(turn: Turn, subtype: ErrorResultSubtype | undefined): string {
  if (turn.interrupted) return turn.toolsInUse > 0 ? 'aborted_tools' : 'aborted_streaming';
  if (turn.stopped !== undefined) return 'hook_stopped';
  if (subtype === 'error_max_turns') return 'max_turns';
  return subtype === 'error_max_budget_usd' ? 'budget_exhausted' : 'completed';
}

function usageDetails(model: string): WireObject {
  return {
    thinkingTokens: 0,
    cacheCreationEphemeral5mInputTokens: 0,
    cacheCreationEphemeral1hInputTokens: 0,
    canonicalModel: model,
    provider: 'firstParty',
    costBasis: 'list',
  };
}

const timings = {
  ttft_ms: 20,
  ttft_stream_ms: 20,
  time_to_request_ms: 10,
  first_content_frame_ms: 20,
} as const;

/** About the first model call; reported only if the user's message had a uuid. */
function firstRequest({ tellsFirstRequest }: Traits): WireObject {
  return {
    request_sent_wall_ms: Date.now(),
    first_request_input_tokens: 12,
    ...(tellsFirstRequest ? { first_request_cache_read_input_tokens: 0 } : {}),
  };
}

const NO_SUBAGENTS = {
  spawned: 0,
  requested: { background: 0, foreground: 0, unset: 0 },
  started_in_background: 0,
  max_depth: 0,
  spawned_by_subagents: 0,
  completed: 0,
  failed: 0,
  killed: { parent: 0, user: 0, system: 0 },
  refused: { depth_limit: 0, concurrency_limit: 0, budget: 0 },
  by_type: {},
} as const;

/** The usage in a result for this many model calls, in the emulated version's format. */
export function resultUsage({ detailed }: Traits, calls: number): WireObject {
  return {
    ...CALL_USAGE,
    input_tokens: 12 * calls,
    output_tokens: 7 * calls,
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    ...(detailed ? NEWER : {}),
  };
}

const NEWER = {
  output_tokens_details: { thinking_tokens: 0 },
  inference_geo: '',
  iterations: [],
  speed: 'standard',
  fallback_credit: null,
} as const;

/** What newer CLIs add to the usage of a message they created themselves. */
export const SYNTHETIC_USAGE: WireObject = {
  output_tokens_details: null,
  inference_geo: null,
  iterations: null,
  speed: null,
  fallback_credit: null,
};
