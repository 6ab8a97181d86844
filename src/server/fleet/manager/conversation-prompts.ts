import type { PromptAnswer, PromptView, SessionSummary } from '../../../entry/remote/contract.js';
import {
  type AnyPrompt,
  OpenPrompts,
  type PromptChange,
} from '../../../host/session/prompts/open-prompts.js';
import { Cancellation } from '../../../wire/peer/cancellation.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { KeptPrompt } from '../../manager/conversations/kept-prompts.js';
import { BudgetPrompt } from '../../manager/money/budget-prompt.js';

/** The dependencies of {@link ConversationPrompts}. */
export interface ConversationPromptsParts {
  readonly name: string;
  readonly clock: Clock;
  /** The CLI's own requests of the open prompts. */
  readonly pending: () => Promise<readonly WireObject[]>;
  readonly answer: (prompt: string, answer: PromptAnswer) => void;
  readonly onChange: (change: PromptChange) => void;
  readonly onBudget: (prompt: BudgetPrompt) => void;
}

/** The prompts of a conversation whose CLI runs on a worker. */
export class ConversationPrompts {
  readonly #parts: ConversationPromptsParts;
  readonly #open: OpenPrompts;
  /** How to withdraw prompts that are open here, by id. */
  readonly #known = new Map<string, Cancellation>();
  #views: readonly PromptView[] = [];
  #hasCli = false;
  #asking = false;
  #budget: BudgetPrompt | undefined;

  constructor(parts: ConversationPromptsParts) {
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

  /** The prompts of its running CLI. */
  get open(): readonly AnyPrompt[] {
    return this.#open.open;
  }

  /** The prompt about a spent budget, if any. */
  get budget(): BudgetPrompt | undefined {
    return this.#budget;
  }

  /** Prompts whose CLI has ended. */
  get kept(): readonly KeptPrompt[] {
    if (this.#hasCli) return [];
    return this.#views.flatMap((view) => ('tool' in view ? [this.#keptPrompt(view)] : []));
  }

  /** Called when the summary has changed. */
  update({ prompts, state }: Pick<SessionSummary, 'prompts' | 'state'>): void {
    this.#views = prompts;
    this.#hasCli = state === 'needs-you' || state === 'idle' || state === 'running';
    const asked = this.#asked;
    for (const [id, withdrawal] of [...this.#known])
      if (!asked.some((view) => view.id === id)) withdrawal.cancel();
    this.#updateBudget();
    if (asked.some(({ id }) => !this.#known.has(id))) void this.#fetch();
  }

  /** Ends all prompts here: this program answers no more of them. */
  close(): void {
    this.update({ prompts: [], state: 'ended' });
  }

  /** The prompts that a CLI waits for. */
  get #asked(): readonly PromptView[] {
    return this.#hasCli ? this.#views.filter(({ kind }) => kind !== 'budget') : [];
  }

  /** Fetches the requests of new prompts. A failed request is retried with the next change. */
  async #fetch(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const pending = await this.#parts.pending().catch(() => []);
    this.#asking = false;
    for (const { request_id: id, request } of pending) {
      const isAsked = this.#asked.some((view) => view.id === id);
      if (isAsked && isObject(request) && !this.#known.has(String(id)))
        this.#ask(String(id), request as RequestBody);
    }
  }

  #ask(id: string, request: RequestBody): void {
    const withdrawal = new Cancellation();
    this.#known.set(id, withdrawal);
    const asking = this.#open.handlers[request.subtype]?.(request, {
      id,
      withdrawal,
      get signal() {
        return withdrawal.signal;
      },
    });
    void Promise.resolve(asking).then((value) => {
      // The prompt stays known until it is no longer in the summary.
      if (!withdrawal.cancelled && isObject(value)) this.#parts.answer(id, { answer: 'raw', value });
      else this.#known.delete(id);
    });
    withdrawal.onCancel(() => this.#known.delete(id));
  }

  #updateBudget(): void {
    const view = this.#views.find(({ kind }) => kind === 'budget');
    if (view?.id === this.#budget?.id) return;
    this.#budget?.withdraw();
    this.#budget = undefined;
    if (view?.kind !== 'budget') return;
    const { id, scope, limitUsd, spentUsd } = view;
    const prompt = new BudgetPrompt(id, this.#parts.name, { scope, limitUsd, spentUsd });
    this.#budget = prompt;
    void this.#decide(prompt);
    this.#parts.onBudget(prompt);
  }

  async #decide(prompt: BudgetPrompt): Promise<void> {
    const decision = await prompt.decided;
    if (decision.kind === 'withdrawn') return;
    const answer: PromptAnswer =
      decision.kind === 'raise' ? { answer: 'raise', usd: decision.byUsd } : { answer: decision.kind };
    this.#parts.answer(prompt.id, answer);
  }

  #keptPrompt({ id, tool, input }: Extract<PromptView, { readonly tool: string }>): KeptPrompt {
    const { answer } = this.#parts;
    return {
      id,
      tool,
      input,
      raw: { subtype: 'can_use_tool', tool_name: tool, input },
      allow: () => answer(id, { answer: 'raw', value: { behavior: 'allow', updatedInput: input } }),
      deny: (message = 'Denied.') => answer(id, { answer: 'raw', value: { behavior: 'deny', message } }),
      answerAs: (value) => answer(id, { answer: 'raw', value }),
    };
  }
}
