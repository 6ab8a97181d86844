import type { PromptAnswer, PromptView, SessionSummary } from '../../../entry/remote/contract.js';
import { SessionPrompts, type SessionPromptsParts } from '../../../entry/remote/session-prompts.js';
import type { Prompts } from '../../../host/session/prompts/open-prompts.js';
import { BudgetPrompt } from '../../manager/money/budget-prompt.js';

/** The dependencies of {@link ConversationPrompts}. */
export interface ConversationPromptsParts extends SessionPromptsParts {
  readonly name: string;
  readonly onBudget: (prompt: BudgetPrompt) => void;
}

/** The prompts of a conversation whose CLI runs on a worker. */
export class ConversationPrompts {
  readonly #parts: ConversationPromptsParts;
  readonly #prompts: SessionPrompts;
  #budget: BudgetPrompt | undefined;

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
    const view = views.find(({ kind }) => kind === 'budget');
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
}
