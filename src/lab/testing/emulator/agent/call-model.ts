import { blocksIn, type WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { type Cli, resolvedModel } from '../cli.js';
import { delay } from '../pipes/timing.js';
import { countCall } from '../steps/speech-steps.js';
import type { Turn } from '../turns/emulated-turn.js';
import { ModelError, modelEvents } from './model-stream.js';
import { listen, repeat, type Spoken } from './spoken.js';
import { tellLimits } from './usage-limits.js';

/** The parameters of one model call. */
export interface Question {
  readonly system: string;
  readonly messages: readonly WireObject[];
  readonly tools: readonly WireObject[];
  /** Whether the host receives the answer. */
  readonly isTold: boolean;
}

/**
 * Calls the model, with the same retries as CLIs.
 * @throws ModelError if it fails permanently.
 */
export async function callModel(cli: Cli, turn: Turn, question: Question): Promise<Spoken> {
  for (let attempt = 1; ; attempt += 1) {
    let headers = new Headers();
    try {
      const events = modelEvents({
        url: modelUrl(cli),
        key: cli.state.modelKey,
        version: cli.traits.version,
        body: bodyOf(cli, question),
        signal: turn.signal,
        onHeaders: (received) => {
          headers = received;
        },
      });
      const spoken = await (question.isTold ? repeat(cli, turn, events) : listen(events));
      if (!question.isTold) countCall(cli, turn);
      await tellLimits(cli, headers);
      return spoken;
    } catch (error) {
      await tellLimits(cli, headers);
      if (!(error instanceof ModelError) || !isWorthRetrying(error) || attempt > cli.state.maxRetries)
        throw error;
      forgetTorn(cli, turn);
      const ms = error.retryAfterMs ?? Math.min(500 * 2 ** (attempt - 1), 32_000);
      await tellRetry(cli, { attempt, ms, error });
      await delay(cli.clock, ms, turn.signal);
    }
  }
}

/** The answer comes again, as another message. */
function forgetTorn(cli: Cli, turn: Turn): void {
  if (turn.openMessage !== undefined && !cli.traits.countsTornReplies) countCall(cli, turn, -1);
  turn.openMessage = undefined;
}

function modelUrl({ state }: Cli): string {
  if (state.modelUrl !== undefined) return state.modelUrl;
  throw new ModelError(null, 'No model to call: ANTHROPIC_BASE_URL is not set, and the scenario has no url.');
}

function bodyOf(cli: Cli, { system, messages, tools }: Question): WireObject {
  return {
    model: resolvedModel(cli),
    max_tokens: 32_000,
    system: [...cli.state.surroundings, { type: 'text', text: system }],
    messages: alternating(messages),
    tools,
    metadata: { user_id: JSON.stringify({ session_id: cli.state.sessionId }) },
    ...thinking(cli),
  };
}

function thinking({ state, traits }: Cli): WireObject {
  if (state.thinkingTokens === 0) return {};
  const budget = { type: 'enabled', budget_tokens: state.thinkingTokens };
  return { thinking: traits.setsThinkingBudget ? budget : { type: 'adaptive' } };
}

/** The API requires alternating roles: consecutive messages of one role become one message. */
function alternating(messages: readonly WireObject[]): readonly WireObject[] {
  const merged: { role: unknown; content: WireObject[] }[] = [];
  for (const { role, content } of messages) {
    const last = merged.at(-1);
    const list = blocksIn(content);
    if (last !== undefined && last.role === role) last.content.push(...list);
    else merged.push({ role, content: [...list] });
  }
  return merged;
}

function isWorthRetrying({ status }: ModelError): boolean {
  return status === null || status === 401 || status === 408 || status === 429 || status >= 500;
}

interface Retry {
  readonly attempt: number;
  readonly ms: number;
  readonly error: ModelError;
}

async function tellRetry(cli: Cli, { attempt, ms, error }: Retry): Promise<void> {
  if (!cli.traits.tellsRetries) return;
  await cli.send(
    systemMessage('api_retry', {
      attempt,
      max_retries: cli.state.maxRetries,
      retry_delay_ms: ms,
      error_status: error.status,
      error: apiErrorName(error.status),
      session_id: cli.state.sessionId,
    }),
  );
}

const API_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication_failed',
  404: 'model_not_found',
  429: 'rate_limit',
  529: 'overloaded',
};

/** How CLIs name an API error. */
export function apiErrorName(status: number | null): string {
  return API_ERRORS[status ?? 0] ?? 'server_error';
}
