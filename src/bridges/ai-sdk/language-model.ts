import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type { OpenOptions } from '../../entry/sdk/remote-session.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { callWarnings, functionTools, launchOptions, namedConversation } from './call-options.js';
import { CallerAnswers, cliNames } from './caller-answers.js';
import type { Conversations } from './conversations.js';
import { type PastMessage, type ReadPrompt, readPrompt } from './read-prompt.js';
import { type LiveSession, RunningTurn } from './running-turn.js';

type Part = LanguageModelV4StreamPart;

/** The options of a model: those of `openSession`, and how the model appears to the AI SDK. */
export interface CoxswainModelOptions
  extends Omit<
    OpenOptions,
    'model' | 'outputSchema' | 'partialMessages' | 'resume' | 'continue' | 'sessionId'
  > {
  /**
   * Who decides about the CLI's tools: your callbacks (`onPermission` and the others), or the caller of the AI SDK, who
   * gets approval requests. Default: `callbacks`.
   */
  readonly approvals?: 'callbacks' | 'caller' | undefined;
  /** Whether the system message is appended to the CLI's own prompt or replaces it. Default: `append`. */
  readonly system?: 'append' | 'replace' | undefined;
}

/** A language model of the AI SDK that is a Claude CLI. */
export class CoxswainLanguageModel implements LanguageModelV4 {
  /** The version of the AI SDK's interface. */
  readonly specificationVersion = 'v4';
  /** `coxswain`. */
  readonly provider = 'coxswain';
  /** URLs of any kind go to the model unchanged. */
  readonly supportedUrls = { 'image/*': [/^https?:/], 'application/pdf': [/^https?:/] };
  /** The name of the model, as the CLI accepts it. */
  readonly modelId: string;
  readonly #options: CoxswainModelOptions;
  readonly #conversations: Conversations;

  constructor(modelId: string, options: CoxswainModelOptions, conversations: Conversations) {
    this.modelId = modelId;
    this.#options = options;
    this.#conversations = conversations;
  }

  /** Runs a turn, or the next step of a paused one; streams the answer. */
  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const canceller = new AbortController();
    const parts = this.#parts(options, [canceller.signal]);
    // An early failure, such as a missing CLI, fails the call.
    const first = await parts.next();
    return { stream: streamOf(first, parts, canceller) };
  }

  /** Runs a turn, or the next step of a paused one; resolves to the whole answer. */
  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const answer = new Answer();
    for await (const part of this.#parts(options)) answer.add(part);
    return answer.result(callWarnings(options));
  }

  async *#parts(
    options: LanguageModelV4CallOptions,
    signals: readonly AbortSignal[] = [],
  ): AsyncGenerator<Part, void> {
    const signal = AbortSignal.any([
      ...signals,
      ...(options.abortSignal === undefined ? [] : [options.abortSignal]),
    ]);
    signal.throwIfAborted();
    const prompt = readPrompt(options.prompt);
    const { turn, launch } = await this.#turnFor(prompt, options);
    const stop = () => void turn.stop();
    signal.addEventListener('abort', stop, { once: true });
    const steps = turn.step();
    let kept = false;
    try {
      signal.throwIfAborted();
      yield { type: 'stream-start', warnings: callWarnings(options) };
      for (;;) {
        const { done, value } = await steps.next();
        if (done !== true) {
          yield value;
          continue;
        }
        signal.throwIfAborted();
        kept = true;
        if (value.over === undefined) this.#conversations.keepPaused(turn);
        else await this.#conversations.keep(turn.live, after(prompt, turn), launch);
        return;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      if (!kept) await turn.live.session.close();
    }
  }

  /** The turn that the prompt continues, or a new one. */
  async #turnFor(prompt: ReadPrompt, options: LanguageModelV4CallOptions) {
    const launch = this.#launchOf(prompt, options);
    const paused = this.#conversations.takePaused(prompt);
    if (paused !== undefined) {
      paused.live.answers.give(prompt);
      return { turn: paused, launch };
    }
    if (prompt.input.length === 0) throw nothingWaits();
    const resume = namedConversation(options) ?? this.#conversations.idOf(prompt.past);
    const live =
      this.#conversations.takeIdle(prompt.past, launch) ?? (await this.#start(prompt, options, resume));
    const told = resume === undefined && prompt.past.length > 0 ? [pastText(prompt.past)] : [];
    return { turn: new RunningTurn(live, live.session.send([...told, ...prompt.input])), launch };
  }

  async #start(
    { system }: ReadPrompt,
    options: LanguageModelV4CallOptions,
    resume: string | undefined,
  ): Promise<LiveSession> {
    const { approvals, system: how = 'append', mcpServers, allowedTools = [], ...own } = this.#options;
    const answers = new CallerAnswers();
    const tools = functionTools(options);
    const launch = launchOptions(options);
    const session = await this.#conversations.start({
      ...own,
      ...launch,
      ...(this.modelId === 'default' ? {} : { model: this.modelId }),
      ...(resume === undefined ? {} : { resume }),
      ...(system === undefined ? {} : { [how === 'append' ? 'appendSystemPrompt' : 'systemPrompt']: system }),
      ...(approvals === 'caller' ? { onPermission: (prompt) => answers.approve(prompt) } : {}),
      mcpServers: { ...mcpServers, ...answers.server(tools) },
      allowedTools: [...allowedTools, ...cliNames(tools)],
      partialMessages: true,
    });
    return { session, answers, structured: launch.outputSchema !== undefined };
  }

  /** What must match to reuse a CLI. */
  #launchOf({ system }: ReadPrompt, options: LanguageModelV4CallOptions): string {
    return JSON.stringify([this.modelId, system, launchOptions(options), functionTools(options)]);
  }
}

function nothingWaits(): CoxswainError {
  const message =
    'The prompt ends with results or approvals, but no turn is waiting for them: it ended, timed out, or ran in another process.';
  return new CoxswainError('SESSION_ENDED', message);
}

/** The history after the turn. */
function after({ past, inputText }: ReadPrompt, { text }: RunningTurn): readonly PastMessage[] {
  const said = inputText === '' ? past : [...past, { role: 'user' as const, text: inputText }];
  return [...said, { role: 'assistant', text }];
}

/** A conversation from elsewhere is passed as text. */
function pastText(past: readonly PastMessage[]) {
  const lines = past.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`);
  return { type: 'text' as const, text: `The conversation so far:\n\n${lines.join('\n\n')}` };
}

function streamOf(
  first: IteratorResult<Part, void>,
  parts: AsyncGenerator<Part, void>,
  canceller: AbortController,
): ReadableStream<Part> {
  let next: IteratorResult<Part, void> | undefined = first;
  return new ReadableStream<Part>({
    pull: async (controller) => {
      const result = next ?? (await parts.next());
      next = undefined;
      if (result.done === true) controller.close();
      else controller.enqueue(result.value);
    },
    // The generator notices once the turn has ended, which this causes.
    cancel: async (reason) => {
      canceller.abort(reason);
      await parts.return();
    },
  });
}

/** Collects the parts of a step for callers that do not stream. */
class Answer {
  readonly #content: LanguageModelV4Content[] = [];
  readonly #texts = new Map<string, { type: 'text' | 'reasoning'; text: string }>();
  #finish: Extract<Part, { type: 'finish' }> | undefined;

  add(part: Part): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const content = {
          type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const),
          text: '',
        };
        this.#texts.set(part.id, content);
        this.#content.push(content);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const content = this.#texts.get(part.id);
        if (content !== undefined) content.text += part.delta;
        break;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
        this.#content.push(part);
        break;
      case 'error':
        throw part.error;
      case 'finish':
        this.#finish = part;
        break;
      default:
      // Everything else is useful only for streaming.
    }
  }

  result(warnings: LanguageModelV4GenerateResult['warnings']): LanguageModelV4GenerateResult {
    if (this.#finish === undefined) throw new Error('The turn ended without a result.');
    const { usage, finishReason, providerMetadata } = this.#finish;
    return {
      content: this.#content,
      finishReason,
      usage,
      ...(providerMetadata === undefined ? {} : { providerMetadata }),
      warnings,
    };
  }
}
