import type { PromptAnswer, PromptView, SessionSummary } from '../../../entry/remote/contract.js';
import { SessionPrompts, type SessionPromptsParts } from '../../../entry/remote/session-prompts.js';
import type { Prompts } from '../../../host/session/prompts/open-prompts.js';
import { BudgetPrompt } from '../../manager/money/budget-prompt.js';

/** The dependencies of {@link ConversationPrompts}. */
export interface ConversationPromptsParts extends SessionPromptsParts {
  readonly name: string;
  readonly onBudget: (prompt: BudgetPrompt) => void;
  /** Answers a budget prompt; resolves to whether the answer counts. */
  readonly decide: (prompt: string, answer: PromptAnswer) => Promise<boolean>;
}

/** The prompts of a conversation whose CLI runs on a worker. */
export class ConversationPrompts {
  readonly #parts: ConversationPromptsParts;
  readonly #prompts: SessionPrompts;
  #budget: BudgetPrompt | undefined;
  #views: readonly PromptView[] = [];
  /** How often there was news. */
  #news = 0;
  /** A decision that its server did not take. */
  #refused: { readonly prompt: string; readonly answer: PromptAnswer } | undefined;

  constructor(parts: ConversationPromptsParts) {
    this.#parts = parts;
    this.#prompts = new SessionPrompts(parts);
  }

  /** The open prompts, including those whose CLI has ended. */
  get all(): Prompts {
    return this.#prompts.all;
  }

  /** The prompt about a spent budget, if any. */
  get budget(): BudgetPrompt | undefined {
    return this.#budget;
  }

  /** Called when the summary has changed. */
  update(summary: Pick<SessionSummary, 'prompts' | 'state'>): void {
    this.#prompts.update(summary);
    this.#updateBudget(summary.prompts);
  }

  /** Ends all prompts here: this program answers no more of them. */
  close(): void {
    this.update({ prompts: [], state: 'ended' });
  }

  #updateBudget(views: readonly PromptView[]): void {
    this.#views = views;
    this.#news += 1;
    const view = views.find(({ kind }) => kind === 'budget');
    if (view?.id !== this.#budget?.id) {
      this.#budget?.withdraw();
      this.#budget = undefined;
    }
    if (view?.kind !== 'budget') return;
    const refused = this.#refused?.prompt === view.id ? this.#refused : undefined;
    if (this.#budget === undefined) this.#ask(view, refused === undefined);
    if (refused === undefined) return;
    this.#refused = undefined;
    void this.#give(refused.prompt, refused.answer);
  }

  #ask({ id, scope, limitUsd, spentUsd }: BudgetView, isNew: boolean): void {
    const prompt = new BudgetPrompt(id, this.#parts.name, { scope, limitUsd, spentUsd });
    this.#budget = prompt;
    void this.#decide(prompt);
    if (isNew) this.#parts.onBudget(prompt);
  }

  async #decide(prompt: BudgetPrompt): Promise<void> {
    const decision = await prompt.decided;
    if (decision.kind === 'withdrawn') return;
    const answer: PromptAnswer =
      decision.kind === 'raise' ? { answer: 'raise', usd: decision.byUsd } : { answer: decision.kind };
    await this.#give(prompt.id, answer);
  }

  /** An owner that has just taken the conversation over may ask about the same message again, under the same id. */
  async #give(prompt: string, answer: PromptAnswer): Promise<void> {
    const news = this.#news;
    if (await this.#parts.decide(prompt, answer)) return;
    this.#refused = { prompt, answer };
    if (this.#news !== news) this.#updateBudget(this.#views);
  }
}

type BudgetView = Extract<PromptView, { readonly kind: 'budget' }>;
