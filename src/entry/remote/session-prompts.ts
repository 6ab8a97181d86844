import { OpenPrompts, type PromptChange, type Prompts } from '../../host/session/prompts/open-prompts.js';
import { DENIED_CALL } from '../../host/session/prompts/permission-prompt.js';
import { Cancellation } from '../../wire/peer/cancellation.js';
import { isObject, type RequestBody, type WireObject } from '../../wire/protocol/frames.js';
import type { Clock } from '../../wire/util/clock.js';
import { errorCode } from '../../wire/util/error-text.js';
import type { PromptAnswer, PromptView, SessionSummary } from './contract.js';

/** The dependencies of {@link SessionPrompts}. */
export interface SessionPromptsParts {
  readonly clock: Clock;
  /** The requests of the open prompts as the CLIs sent them. Rejects with `SESSION_ENDED` if there is no CLI. */
  readonly pending: () => Promise<readonly WireObject[]>;
  readonly answer: (prompt: string, answer: PromptAnswer) => void;
  readonly onChange: (change: PromptChange) => void;
}

/** The prompts of a session on a server, as objects like those of a session here. They follow its summary. */
export class SessionPrompts {
  readonly #parts: SessionPromptsParts;
  readonly #open: OpenPrompts;
  /** How to withdraw prompts that are open here, by id. */
  readonly #known = new Map<string, Cancellation>();
  #views: readonly PromptView[] = [];
  #hasCli = false;
  #asking = false;

  constructor(parts: SessionPromptsParts) {
    this.#parts = parts;
    this.#open = new OpenPrompts({
      callbacks: {},
      manual: true,
      timeouts: {},
      clock: parts.clock,
      onChange: parts.onChange,
      onFailure: () => {},
    });
  }

  /** The open prompts, including those whose CLI has ended. */
  get all(): Prompts {
    return this.#open;
  }

  /** Called when the summary has changed. */
  update({ prompts, state }: Pick<SessionSummary, 'prompts' | 'state'>): void {
    this.#views = prompts;
    this.#hasCli = state === 'needs-you' || state === 'idle' || state === 'running';
    const asked = this.#asked;
    for (const [id, withdrawal] of [...this.#known])
      if (!asked.some((view) => view.id === id)) withdrawal.cancel();
    // The CLI has sent no request for these.
    this.#askFrom(asked.filter(isDenied));
    if (this.#hasCli && this.#unknown.length > 0) void this.#fetch();
    if (!this.#hasCli) this.#askKept();
  }

  /** Ends all prompts here: this program answers no more of them. */
  close(): void {
    this.update({ prompts: [], state: 'ended' });
  }

  /** The prompts that a CLI waits for, or that the next CLI gets the answer to. */
  get #asked(): readonly PromptView[] {
    return this.#views.filter((view) => (this.#hasCli ? view.kind !== 'budget' : 'tool' in view));
  }

  get #unknown(): readonly PromptView[] {
    return this.#asked.filter(({ id }) => !this.#known.has(id));
  }

  /** Fetches the requests of new prompts. A failed request is retried with the next change. */
  async #fetch(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const pending = await this.#parts.pending().catch((error: unknown) => {
      // A message waits for a budget decision, without a CLI.
      if (errorCode(error) === 'SESSION_ENDED') this.#askKept();
      return [];
    });
    this.#asking = false;
    for (const { request_id: id, request } of pending) {
      const isAsked = this.#asked.some((view) => view.id === id);
      if (isAsked && isObject(request) && !this.#known.has(String(id)))
        this.#ask(String(id), request as RequestBody, (value) => ({ answer: 'raw', value }));
    }
  }

  /** No CLI has the requests any more. */
  #askKept(): void {
    this.#askFrom(this.#unknown);
  }

  #askFrom(views: readonly PromptView[]): void {
    for (const view of views)
      if ('tool' in view && !this.#known.has(view.id))
        this.#ask(view.id, keptRequest(view), (value) => keptAnswer(view, value));
  }

  #ask(id: string, request: RequestBody, answerOf: (value: WireObject) => PromptAnswer): void {
    const withdrawal = new Cancellation();
    this.#known.set(id, withdrawal);
    const context = {
      id,
      withdrawal,
      get signal() {
        return withdrawal.signal;
      },
    };
    const asking =
      request.subtype === DENIED_CALL
        ? this.#open.askAgain(request, context)
        : this.#open.handlers[request.subtype]?.(request, context);
    void Promise.resolve(asking).then((value) => {
      // The prompt stays known until it is no longer in the summary.
      if (!withdrawal.cancelled && isObject(value)) this.#parts.answer(id, answerOf(value));
      else this.#known.delete(id);
    });
    withdrawal.onCancel(() => this.#known.delete(id));
  }
}

type CallView = Extract<PromptView, { readonly tool: string }>;

function isDenied(view: PromptView): boolean {
  return view.kind === 'permission' && view.wasDenied === true;
}

/** The request of a prompt, as far as its view has it. */
function keptRequest(view: CallView): RequestBody {
  const asked = view.kind === 'permission' ? view : undefined;
  return {
    subtype: isDenied(view) ? DENIED_CALL : 'can_use_tool',
    tool_name: view.tool,
    input: view.input,
    tool_use_id: view.toolUseId,
    agent_id: view.agentId,
    title: view.title,
    description: view.description,
    permission_suggestions: asked?.suggestions,
    blocked_path: asked?.blockedPath,
    decision_reason: asked?.decisionReason,
  };
}

/** A view may have a shortened input, which must not replace the real one. */
function keptAnswer(view: CallView, value: WireObject): PromptAnswer {
  const isUnchanged = value.behavior === 'allow' && value.updatedInput === view.input;
  if (view.kind !== 'permission' || !isUnchanged) return { answer: 'raw', value };
  const { updatedPermissions: permissions } = value;
  return { answer: 'allow', ...(Array.isArray(permissions) ? { permissions } : {}) };
}
