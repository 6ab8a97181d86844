import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Session } from '../../host/session/session.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { Turn } from '../../host/session/turns/turn.js';
import { TurnFailedError } from '../../host/session/turns/turn-failed-error.js';
import type { TurnUsage } from '../../host/session/turns/usage.js';
import type { CliMessage } from '../../wire/protocol/catalog/types.js';
import type { CallerAnswers } from './caller-answers.js';
import { MessageParts } from './message-parts.js';

type Part = LanguageModelV4StreamPart;

/** A session that the AI SDK talks to, and what it waits for. */
export interface LiveSession {
  readonly session: Session;
  readonly answers: CallerAnswers;
  /** Whether it was opened with a schema. */
  readonly structured: boolean;
}

/** How a step of a turn ended: the turn has ended, or waits for the caller. */
export type StepEnd = { readonly over: TurnOutcome } | { readonly over: undefined };

/** A turn of the CLI. The AI SDK sees it as several steps if the caller has to do something in between. */
export class RunningTurn {
  readonly live: LiveSession;
  readonly #turn: Turn;
  readonly #messages: AsyncIterator<CliMessage, unknown>;
  readonly #parts: MessageParts;
  #next: Promise<void> | undefined;
  #arrived: IteratorResult<CliMessage, unknown> | undefined;
  #wake: () => void = () => {};
  #text = '';

  constructor(live: LiveSession, turn: Turn) {
    this.live = live;
    this.#turn = turn;
    this.#messages = turn[Symbol.asyncIterator]();
    const { answers, structured } = live;
    this.#parts = new MessageParts({
      structured,
      onCall: (id, name, input) => answers.tell(id, name, input),
    });
    answers.reset();
    answers.onWaiting = () => this.#wake();
  }

  /** The model's text of all steps. */
  get text(): string {
    return this.#text;
  }

  /** Ends the turn, and with it the current step. */
  async stop(): Promise<void> {
    await this.#turn.stop();
  }

  /** The parts of one step, as they arrive. */
  async *step(): AsyncGenerator<Part, StepEnd> {
    for (;;) {
      const message = await this.#read();
      if (message === 'paused') {
        yield* this.live.answers.requests;
        yield {
          type: 'finish',
          usage: usageOf(undefined),
          finishReason: { unified: 'tool-calls', raw: 'tool_use' },
        };
        this.#parts.nextStep();
        return { over: undefined };
      }
      if (message.done === true) return yield* this.#end(await this.#turn.outcome);
      for (const part of this.#parts.of(message.value)) {
        if (part.type === 'text-delta') this.#text += part.delta;
        yield part;
      }
    }
  }

  /** The next message, or a notice that the CLI waits for the caller. Messages that have arrived are read first. */
  async #read(): Promise<IteratorResult<CliMessage, unknown> | 'paused'> {
    this.#next ??= this.#messages.next().then(
      (result) => this.#arrive(result),
      // The turn's outcome has the reason.
      () => this.#arrive({ done: true, value: undefined }),
    );
    while (this.#arrived === undefined) {
      if (this.live.answers.pauses) return 'paused';
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const result = this.#arrived;
    this.#arrived = undefined;
    this.#next = undefined;
    return result;
  }

  #arrive(result: IteratorResult<CliMessage, unknown>): void {
    this.#arrived = result;
    this.#wake();
  }

  async *#end(outcome: TurnOutcome): AsyncGenerator<Part, StepEnd> {
    if (outcome.kind === 'success' && this.live.structured) {
      const text = JSON.stringify(outcome.output) ?? '';
      this.#text += text;
      yield { type: 'text-start', id: 'output' };
      yield { type: 'text-delta', id: 'output', delta: text };
      yield { type: 'text-end', id: 'output' };
    }
    if (FAILURES.has(outcome.kind)) yield { type: 'error', error: await turnFailure(outcome) };
    yield {
      type: 'finish',
      usage: usageOf(outcome.usage),
      finishReason: finishReason(outcome),
      providerMetadata: { coxswain: this.#metadata(outcome) },
    };
    return { over: outcome };
  }

  #metadata({ usage }: TurnOutcome) {
    const { id, version } = this.live.session;
    return {
      ...(id === undefined ? {} : { sessionId: id }),
      ...(version === undefined ? {} : { cliVersion: version }),
      ...(usage === undefined ? {} : { costUsd: usage.costUsd }),
    };
  }
}

/** Outcomes that the AI SDK sees as errors; a turn limit is a length, and a stop was requested. */
const FAILURES: ReadonlySet<TurnOutcome['kind']> = new Set([
  'error',
  'output-invalid',
  'budget',
  'rate-limited',
  'auth',
  'stalled',
  'cli-ended',
  'unknown',
]);

function finishReason(outcome: TurnOutcome): LanguageModelV4FinishReason {
  const raw = outcome.kind;
  if (raw === 'success') return { unified: 'stop', raw };
  if (raw === 'max-turns') return { unified: 'length', raw };
  return { unified: FAILURES.has(raw) ? 'error' : 'interrupted', raw };
}

function usageOf(usage: TurnUsage | undefined): LanguageModelV4Usage {
  const {
    inputTokens: noCache,
    cacheReadInputTokens: cacheRead,
    cacheCreationInputTokens: cacheWrite,
  } = usage ?? {};
  const total =
    usage === undefined
      ? undefined
      : usage.inputTokens + usage.cacheReadInputTokens + usage.cacheCreationInputTokens;
  return {
    inputTokens: { total, noCache, cacheRead, cacheWrite },
    outputTokens: { total: usage?.outputTokens, text: undefined, reasoning: undefined },
  };
}

/** The error of a failed turn; of a failed call to the API, the AI SDK's own, with its status and whether to try again. */
async function turnFailure(outcome: TurnOutcome): Promise<Error> {
  const failed = new TurnFailedError(outcome);
  const statusCode = statusOf(outcome);
  if (statusCode === undefined) return failed;
  const { APICallError } = await import('@ai-sdk/provider');
  // The CLI made the call, and does not tell the address or the body.
  return new APICallError({
    message: failed.message,
    url: '',
    requestBodyValues: {},
    statusCode,
    cause: failed,
  });
}

function statusOf(outcome: TurnOutcome): number | undefined {
  switch (outcome.kind) {
    case 'error':
      return outcome.status;
    case 'rate-limited':
      return 429;
    case 'auth':
      return 401;
    default:
      return undefined;
  }
}
