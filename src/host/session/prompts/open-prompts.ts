import type { RequestContext, RequestHandler } from '../../../wire/peer/received-requests.js';
import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { quiet } from '../../../wire/util/listeners.js';
import { PassingMap, RecentMap } from '../../../wire/util/maps.js';
import { DialogPrompt } from './dialog-prompt.js';
import { ElicitationPrompt } from './elicitation-prompt.js';
import { DENIED_CALL, PermissionPrompt } from './permission-prompt.js';
import { PlanPrompt } from './plan-prompt.js';
import type { Prompt, PromptAnswer, PromptContext, PromptKind, PromptState } from './prompt.js';
import { QuestionPrompt } from './question-prompt.js';

/** Any prompt; check its `kind`. */
export type AnyPrompt = PermissionPrompt | QuestionPrompt | PlanPrompt | ElicitationPrompt | DialogPrompt;

/** What happened to a prompt. */
export interface PromptChange {
  /** The prompt. */
  readonly prompt: AnyPrompt;
  /** The new state. */
  readonly state: PromptState;
}

/** Answers one kind of prompt. Anything but an explicit answer denies. */
export type PromptCallback<P extends Prompt> = (prompt: P) => PromptAnswer | Promise<PromptAnswer>;

/** The prompt callbacks of a session. */
export interface PromptCallbacks {
  /** Called when a tool needs permission. Without it, such calls are denied. */
  readonly onPermission?: PromptCallback<PermissionPrompt> | undefined;
  /** Answers the model's questions to the user. */
  readonly onQuestion?: PromptCallback<QuestionPrompt> | undefined;
  /** Approves the model's plans. Without it they go to `onPermission`. */
  readonly onPlan?: PromptCallback<PlanPrompt> | undefined;
  /** Answers elicitations of MCP servers. Old CLIs do not forward them. */
  readonly onElicitation?: PromptCallback<ElicitationPrompt> | undefined;
  /** Shows the dialogs listed in `supportedDialogKinds`. */
  readonly onDialog?: PromptCallback<DialogPrompt> | undefined;
}

/** The prompts of a session. */
export interface Prompts {
  /** The open prompts, oldest first. */
  readonly open: readonly AnyPrompt[];
  /** Returns an open prompt by its id. */
  find(id: string): AnyPrompt | undefined;
}

/** The dependencies of {@link OpenPrompts}. */
export interface OpenPromptsOptions {
  readonly callbacks: PromptCallbacks;
  /** Whether a prompt without a callback stays open, to be answered by its id. */
  readonly manual: boolean;
  /** How long a prompt of a kind may stay open, in milliseconds. Default: no limit. */
  readonly timeouts: Readonly<Partial<Record<PromptKind, number>>>;
  readonly clock: Clock;
  readonly onChange: (change: PromptChange) => void;
  /** Called for a callback that failed, was late or gave no answer. */
  readonly onFailure: (callback: string, error: unknown) => void;
}

const CALLBACK_NAMES = {
  permission: 'onPermission',
  question: 'onQuestion',
  plan: 'onPlan',
  elicitation: 'onElicitation',
  dialog: 'onDialog',
} as const satisfies Record<PromptKind, keyof PromptCallbacks>;

/** How many answers are remembered, for prompts that the CLI delivers again. */
const REMEMBERED = 256;

/** The prompts of a session: the open ones by id, their callbacks, and exactly one answer each. */
export class OpenPrompts implements Prompts {
  readonly #options: OpenPromptsOptions;
  readonly #onChange: (change: PromptChange) => void;
  readonly #open = new PassingMap<string, AnyPrompt>();
  #answers = new RecentMap<string, WireObject>(REMEMBERED);

  constructor(options: OpenPromptsOptions) {
    this.#options = options;
    this.#onChange = quiet(options.onChange);
  }

  get open(): readonly AnyPrompt[] {
    return this.#open.values();
  }

  find(id: string): AnyPrompt | undefined {
    return this.#open.get(id);
  }

  /** A new CLI assigns its own ids: answers to those of the previous one no longer apply. */
  forgetAnswers(): void {
    this.#answers = new RecentMap(REMEMBERED);
  }

  /** The handlers of the CLI's requests that become prompts. */
  get handlers(): Readonly<Record<string, RequestHandler>> {
    return {
      can_use_tool: (body, context) => this.#ask(body, context, (...request) => this.#toolPrompt(...request)),
      elicitation: (body, context) =>
        this.#ask(body, context, (...request) => new ElicitationPrompt(...request)),
      request_user_dialog: (body, context) =>
        this.#ask(body, context, (...request) => new DialogPrompt(...request)),
    };
  }

  /** Asks about a call that the CLI itself has denied. */
  askAgain(call: WireObject, context: RequestContext): Promise<WireObject> {
    return this.#ask(
      { ...call, subtype: DENIED_CALL },
      context,
      (...request) => new PermissionPrompt(...request),
    );
  }

  #toolPrompt(body: RequestBody, context: RequestContext): AnyPrompt {
    const { callbacks, manual } = this.#options;
    // A plan is a tool call too: a program with only a permission callback decides about it there.
    const plans = manual || callbacks.onPlan !== undefined || callbacks.onPermission === undefined;
    return toolPrompt(body, context, plans);
  }

  async #ask(
    body: RequestBody,
    context: RequestContext,
    make: (body: RequestBody, context: RequestContext) => AnyPrompt,
  ): Promise<WireObject> {
    const known = this.#answers.get(context.id);
    if (known !== undefined) return known;
    const prompt = make(body, context);
    context.withdrawal.onCancel(() => prompt.withdraw());
    const stopTimer = this.#limit(prompt);
    this.#open.set(prompt.id, prompt);
    this.#onChange({ prompt, state: 'open' });
    // A listener may have answered already.
    if (prompt.state === 'open') void this.#consult(prompt);
    const answer = await prompt.answered;
    stopTimer?.();
    this.#close(prompt, answer);
    return answer;
  }

  /** Refuses a prompt when its time is up; the returned function, if there is a limit, stops the timer. */
  #limit(prompt: AnyPrompt): (() => void) | undefined {
    const ms = this.#options.timeouts[prompt.kind];
    if (ms === undefined) return undefined;
    const reason = `Nobody answered this ${prompt.kind} prompt in time, so it was refused.`;
    return this.#options.clock.after(ms, () => {
      prompt.expire(reason);
      if (this.#callbackFor(prompt) === undefined || prompt.isDeferred) return;
      this.#failed(
        prompt,
        new CoxswainError('REQUEST_TIMEOUT', `The callback did not answer within ${ms} ms.`),
      );
    });
  }

  /** Calls the callback of the kind. Fails closed: no callback, an exception or no answer refuses, with the reason. */
  async #consult(prompt: AnyPrompt): Promise<void> {
    const callback = this.#callbackFor(prompt);
    if (callback === undefined) {
      if (!this.#options.manual)
        prompt.refuse(`No callback is set for ${prompt.kind} prompts, so this was refused.`);
      return;
    }
    let returned: unknown;
    try {
      const running = callback();
      // A callback that has already answered is done, unless it continues and fails.
      if (prompt.state === 'open' || isPromise(running)) returned = await running;
    } catch (error) {
      prompt.refuse(`The ${prompt.kind} callback failed: ${errorText(error)}`);
      this.#failed(prompt, error);
      return;
    }
    if (prompt.state !== 'open' || prompt.isDeferred) return;
    prompt.refuse(`The ${prompt.kind} callback returned without an answer.`);
    this.#failed(prompt, new CoxswainError('ANSWER_INVALID', noAnswer(prompt.kind, returned)));
  }

  #failed({ kind }: AnyPrompt, error: unknown): void {
    this.#options.onFailure(CALLBACK_NAMES[kind], error);
  }

  #callbackFor(prompt: AnyPrompt): (() => unknown) | undefined {
    const { onPermission, onQuestion, onPlan, onElicitation, onDialog } = this.#options.callbacks;
    switch (prompt.kind) {
      case 'permission':
        return onPermission && (() => onPermission(prompt));
      case 'question':
        return onQuestion && (() => onQuestion(prompt));
      case 'plan':
        return onPlan && (() => onPlan(prompt));
      case 'elicitation':
        return onElicitation && (() => onElicitation(prompt));
      case 'dialog':
        return onDialog && (() => onDialog(prompt));
    }
  }

  #close(prompt: AnyPrompt, answer: WireObject): void {
    this.#open.delete(prompt.id);
    if (prompt.state !== 'withdrawn') this.#answers.set(prompt.id, answer);
    this.#onChange({ prompt, state: prompt.state });
  }
}

/** A prompt about a tool call. */
export type CallPrompt = PermissionPrompt | QuestionPrompt | PlanPrompt;

/** The open prompts about tool calls: only those can be answered after their CLI has ended. */
export function callPrompts({ open }: Prompts): readonly CallPrompt[] {
  return open.filter(({ kind }) => kind !== 'elicitation' && kind !== 'dialog') as readonly CallPrompt[];
}

/** The prompt about a tool call; `plans` says whether plans are separate. */
export function toolPrompt(body: RequestBody, context: PromptContext, plans = true): CallPrompt {
  if (body.tool_name === 'AskUserQuestion') return new QuestionPrompt(body, context);
  if (body.tool_name === 'ExitPlanMode' && plans) return new PlanPrompt(body, context);
  return new PermissionPrompt(body, context);
}

/** Says what to return instead: programs for the official SDK return an object, others true. */
function noAnswer(kind: PromptKind, returned: unknown): string {
  const what = returned === undefined ? 'without an answer' : 'something that is not an answer';
  return `The callback returned ${what}, so the prompt was refused: return ${RETURNS[kind]}.`;
}

const RETURNS: Readonly<Record<PromptKind, string>> = {
  permission: 'prompt.allow() or prompt.deny()',
  plan: 'prompt.approve() or prompt.reject()',
  question: 'prompt.answer() or prompt.decline()',
  elicitation: 'prompt.accept() or prompt.decline()',
  dialog: 'prompt.complete() or prompt.cancel()',
};

/** Whether a callback returned a promise, of any library or realm. */
function isPromise(returned: unknown): boolean {
  return typeof (returned as PromiseLike<unknown> | undefined)?.then === 'function';
}
