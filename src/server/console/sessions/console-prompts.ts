import type { ClientName, PromptAnswer, PromptView } from '../../../entry/remote/contract.js';
import type { AnyPrompt, CallPrompt } from '../../../host/session/prompts/open-prompts.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { FoldedLog } from '../log/folded-log.js';
import { answerBudget, giveAnswer } from './prompt-answers.js';
import { viewBudget, viewPrompt } from './prompt-views.js';

/** How many settled prompts to remember, to tell late answerers who was first. */
const SETTLED_KEPT = 256;

/** Whether an answer counted, and whose did. */
export interface Answered {
  readonly accepted: boolean;
  readonly by?: ClientName;
}

/** A session's prompts as clients see them: which are open, and who answered which. */
export class ConsolePrompts {
  readonly #events: FoldedLog;
  readonly #now: () => number;
  /** Whether an answer may turn off all permission checks. */
  readonly #allowBypass: boolean;
  readonly #settled = new RecentMap<string, { by: ClientName; answer: PromptAnswer }>(SETTLED_KEPT);

  constructor(
    events: FoldedLog,
    { now, allowBypass }: { readonly now: () => number; readonly allowBypass: boolean },
  ) {
    this.#events = events;
    this.#now = now;
    this.#allowBypass = allowBypass;
  }

  /** Open prompts, oldest first. */
  get open(): readonly PromptView[] {
    return this.#events.view.prompts;
  }

  isOpen(id: string): boolean {
    return this.open.some((prompt) => prompt.id === id);
  }

  /**
   * Answers a prompt; only the first answer counts, and later ones learn who was first.
   * @throws CoxswainError `STORE_FAILED` if the answer could not be stored for the next CLI: the prompt stays open.
   */
  answer(
    prompt: AnyPrompt | BudgetPrompt | undefined,
    { id, answer }: { readonly id: string; readonly answer: PromptAnswer },
    by: ClientName,
  ): Answered {
    if (prompt !== undefined && this.#give(prompt, answer)) {
      this.#settled.set(id, { by, answer });
      return { accepted: true, by };
    }
    const settled = this.#settled.get(id);
    return settled === undefined ? { accepted: false } : { accepted: false, by: settled.by };
  }

  show(prompt: AnyPrompt | BudgetPrompt): void {
    const at = this.#now();
    const view =
      prompt.kind === 'budget' ? viewBudget(prompt, at) : viewPrompt(prompt, at, this.#allowBypass);
    this.#events.add({ kind: 'prompt', prompt: view });
  }

  settle(id: string, how: 'answered' | 'withdrawn' | 'expired'): void {
    if (!this.isOpen(id)) return;
    const settled = how === 'answered' ? this.#settled.get(id) : undefined;
    this.#events.add({ kind: 'prompt-settled', prompt: id, how, ...settled });
  }

  /** The CLI is gone: the answers to these prompts go to the next one; all others are over. */
  keepOnly(kept: readonly CallPrompt[], budget: BudgetPrompt | undefined): void {
    for (const prompt of kept) if (!this.isOpen(prompt.id)) this.show(prompt);
    const ids = new Set([...kept.map(({ id }) => id), budget?.id]);
    for (const { id } of this.open) if (!ids.has(id)) this.settle(id, 'expired');
  }

  #give(prompt: AnyPrompt | BudgetPrompt, answer: PromptAnswer): boolean {
    return prompt.kind === 'budget'
      ? answerBudget(prompt, answer)
      : giveAnswer(prompt, answer, this.#allowBypass);
  }
}
