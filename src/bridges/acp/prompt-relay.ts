import type {
  AgentContext,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { ElicitationPrompt } from '../../host/session/prompts/elicitation-prompt.js';
import type { AnyPrompt, PromptChange } from '../../host/session/prompts/open-prompts.js';
import type { QuestionAnswers, QuestionPrompt } from '../../host/session/prompts/question-prompt.js';
import type { ToolPrompt } from '../../host/session/prompts/tool-prompt.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { errorText } from '../../wire/util/error-text.js';
import type { ClientAbilities } from './client-abilities.js';
import { answersIn, formOf } from './forms.js';
import { type Choosable, chosen, permissionOptions, planOptions, Refusals } from './permission-requests.js';
import { shownCall } from './tool-calls.js';

/** The dependencies of {@link PromptRelay}. */
export interface RelayOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly client: AgentContext;
  readonly abilities: ClientAbilities;
  /** Resolves when the client has received everything before the prompt. */
  readonly caughtUp: (prompt: AnyPrompt) => Promise<void>;
  /** Aborted when the client disconnects: prompts are then left to others. */
  readonly gone: AbortSignal;
}

/** Passes prompts to a client, and its answers back. The first answer counts, here or elsewhere. */
export class PromptRelay {
  readonly #options: RelayOptions;
  readonly #refusals = new Refusals();
  readonly #asking = new Map<string, AbortController>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** A prompt changed. */
  changed({ prompt, state }: PromptChange): void {
    if (state === 'open') void this.ask(prompt);
    else this.#asking.get(prompt.id)?.abort();
  }

  /** Asks the client until somebody has answered. Never rejects. */
  async ask(prompt: AnyPrompt): Promise<void> {
    if (this.#asking.has(prompt.id)) return;
    const asking = new AbortController();
    this.#asking.set(prompt.id, asking);
    try {
      await this.#options.caughtUp(prompt);
      if (!asking.signal.aborted) await this.#ask(prompt, asking.signal);
    } catch (error) {
      // Fails closed, unless this client is no longer responsible.
      if (!asking.signal.aborted && !this.#options.gone.aborted)
        prompt.refuse(`The client could not be asked: ${errorText(error)}`);
    } finally {
      this.#asking.delete(prompt.id);
    }
  }

  #ask(prompt: AnyPrompt, signal: AbortSignal): Promise<unknown> {
    switch (prompt.kind) {
      case 'permission':
        if (this.#refusals.apply(prompt)) return Promise.resolve();
        return this.#choose(prompt, permissionOptions(prompt, this.#refusals), signal);
      case 'plan':
        return this.#choose(prompt, planOptions(prompt), signal);
      case 'question':
        return this.#options.abilities.forms ? this.#fillIn(prompt, signal) : this.#pick(prompt, signal);
      case 'elicitation':
        return this.#elicit(prompt, signal);
      case 'dialog':
        return Promise.resolve(prompt.cancel());
    }
  }

  async #choose(prompt: ToolPrompt, options: readonly Choosable[], signal: AbortSignal): Promise<void> {
    const call = { ...this.#callOf(prompt), ...blockedAt(prompt) };
    const option = chosen(await this.#permission(call, options.map(withoutEffect), signal), options);
    if (option !== undefined) option.choose();
    else prompt.refuse('The user did not answer this.');
  }

  async #fillIn(prompt: QuestionPrompt, signal: AbortSignal): Promise<void> {
    const { questions } = prompt;
    const request: CreateElicitationRequest = {
      mode: 'form',
      sessionId: this.#options.sessionId,
      toolCallId: prompt.origin.toolUseId ?? null,
      message: questions.map(({ question }) => question).join('\n'),
      requestedSchema: formOf(questions),
    };
    settle(prompt, answersIn(await this.#elicitation(request, signal), questions));
  }

  /** Clients without forms get one question at a time, as a permission request with the choices as options. */
  async #pick(prompt: QuestionPrompt, signal: AbortSignal): Promise<void> {
    const answers: Record<string, string> = {};
    for (const { question, options } of prompt.questions) {
      const choices = options.map(({ label }, at) => ({
        optionId: `answer:${at}`,
        kind: 'allow_once' as const,
        name: label,
      }));
      const leave = { optionId: 'reject', kind: 'reject_once' as const, name: 'Leave it unanswered' };
      const toolCall = { ...this.#callOf(prompt), title: question };
      const choice = chosen(await this.#permission(toolCall, [...choices, leave], signal), choices);
      if (choice === undefined) break;
      answers[question] = choice.name;
    }
    settle(prompt, answers);
  }

  async #elicit(prompt: ElicitationPrompt, signal: AbortSignal): Promise<void> {
    const { sessionId, abilities } = this.#options;
    const { mode, message, url = '' } = prompt;
    if (mode === 'url' ? !abilities.urls : !abilities.forms) {
      prompt.decline();
      return;
    }
    const request: CreateElicitationRequest =
      mode === 'url'
        ? { mode, sessionId, message, elicitationId: prompt.id, url }
        : { mode, sessionId, message, requestedSchema: prompt.schema ?? { type: 'object' } };
    const answer = await this.#elicitation(request, signal);
    const { content } = answer as { readonly content?: WireObject | null };
    if (answer.action === 'accept') prompt.accept(mode === 'url' ? undefined : { ...content });
    else if (answer.action === 'decline') prompt.decline();
    else prompt.cancel();
  }

  #permission(
    toolCall: ToolCallUpdate,
    options: RequestPermissionRequest['options'],
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const { client, sessionId } = this.#options;
    const request: RequestPermissionRequest = { sessionId, toolCall, options };
    return client.request('session/request_permission', request, leaving(signal));
  }

  #elicitation(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.#options.client.request('elicitation/create', request, leaving(signal));
  }

  #callOf({ tool, input, origin, id, description }: ToolPrompt): ToolCallUpdate {
    const shown = shownCall(tool, input, this.#options.cwd);
    const about = shown.content.length === 0 && description !== undefined;
    return {
      toolCallId: origin.toolUseId ?? id,
      name: tool,
      rawInput: input,
      status: 'pending',
      ...shown,
      ...(about ? { content: [{ type: 'content', content: { type: 'text', text: description } }] } : {}),
    };
  }
}

/** An empty answer counts as none. */
function settle(prompt: QuestionPrompt, answers: QuestionAnswers): void {
  if (Object.keys(answers).length === 0) prompt.decline();
  else prompt.answer(answers);
}

/** The path at which the CLI's check of a command stopped. */
function blockedAt(prompt: ToolPrompt) {
  const { blocked_path: path } = prompt.raw;
  return typeof path === 'string' ? { locations: [{ path }] } : {};
}

function withoutEffect({ optionId, kind, name }: Choosable) {
  return { optionId, kind, name };
}

/** Withdraws a request once somebody else has answered. */
function leaving(signal: AbortSignal) {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
