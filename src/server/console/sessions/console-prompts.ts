import type { ClientName, PromptAnswer, PromptView } from '../../../entry/remote/contract.js';
import type { AnyPrompt, CallPrompt, PromptChange } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { FoldedLog } from '../log/folded-log.js';
import type { ConsoleManager } from './console-manager.js';
import { answerBudget, giveAnswer } from './prompt-answers.js';
import { viewBudget, viewPrompt } from './prompt-views.js';

/** How many settled prompts to remember, to tell late answerers who was first. */
const SETTLED_KEPT = 256;

/** The dependencies of {@link ConsolePrompts}. */
export interface ConsolePromptsParts {
  readonly events: FoldedLog;
  readonly now: () => number;
  readonly manager: Pick<ConsoleManager, 'isClosed'>;
  /** Whether an answer may turn off all permission checks. */
  readonly allowBypass: boolean;
}

/** Whether an answer counted, and whose did. */
export interface Answered {
  readonly accepted: boolean;
  readonly by?: ClientName;
}

/** A session's prompts as clients see them: which are open, and who answered which. */
export class ConsolePrompts {
  readonly #events: FoldedLog;
  readonly #now: () => number;
  readonly #manager: Pick<ConsoleManager, 'isClosed'>;
  readonly #allowBypass: boolean;
  /** Prompts whose CLI is gone. */
  readonly #kept = new Map<string, CallPrompt>();
  #budget: BudgetPrompt | undefined;
  readonly #settled = new RecentMap<string, { by: ClientName; answer: PromptAnswer }>(SETTLED_KEPT);

  constructor({ events, now, manager, allowBypass }: ConsolePromptsParts) {
    this.#events = events;
    this.#now = now;
    this.#manager = manager;
    this.#allowBypass = allowBypass;
  }

  /** Open prompts, oldest first. */
  get open(): readonly PromptView[] {
    return this.#events.view.prompts;
  }

  /**
   * Answers a prompt; only the first answer counts, and later ones learn who was first.
   * @throws CoxswainError `STORE_FAILED` if the answer could not be stored for the next CLI: the prompt stays open.
   */
  async answer(
    session: Session | undefined,
    { id, answer }: { readonly id: string; readonly answer: PromptAnswer },
    by: ClientName,
  ): Promise<Answered> {
    if (this.#give(session, id, answer)) {
      this.#settled.set(id, { by, answer });
      if (this.#kept.has(id)) this.#settle(id, 'answered');
      return { accepted: true, by };
    }
    const settled = this.#settled.get(id);
    return settled === undefined ? { accepted: false } : { accepted: false, by: settled.by };
  }

  /** Whether someone has to decide about a budget. */
  get asksForMoney(): boolean {
    return this.#budget !== undefined;
  }

  /** A message is waiting for a budget decision. */
  async budget(prompt: BudgetPrompt, onChange: () => void): Promise<void> {
    this.#budget = prompt;
    this.#events.add({ kind: 'prompt', prompt: viewBudget(prompt, this.#now()) });
    onChange();
    const { kind } = await prompt.decided;
    // The next server asks again.
    if (this.#manager.isClosed || this.#budget !== prompt) return;
    this.#budget = undefined;
    this.#settle(prompt.id, kind === 'withdrawn' ? 'withdrawn' : 'answered');
    onChange();
  }

  /** Whether a prompt can be answered although its CLI is gone. */
  isKept(id: string): boolean {
    return this.#kept.has(id);
  }

  /** The CLI is gone: these prompts are kept, and their answers go to the next CLI; all others are over. */
  lost(kept: readonly CallPrompt[]): void {
    for (const each of kept) {
      this.#keep(each);
      if (!this.open.some(({ id }) => id === each.id)) this.#show(each);
    }
    const over = this.open.filter(
      ({ id }) => id !== this.#budget?.id && !kept.some((each) => each.id === id),
    );
    for (const { id } of over) this.#settle(id, 'expired');
  }

  /** Continues with the prompts of an earlier server, as this one shows them: it may allow less. */
  adopt(kept: readonly CallPrompt[]): void {
    for (const each of kept) {
      this.#keep(each);
      this.#show(each);
    }
  }

  #give(session: Session | undefined, id: string, answer: PromptAnswer): boolean {
    if (this.#budget?.id === id) return answerBudget(this.#budget, answer);
    const prompt = session?.prompts.find(id) ?? this.#kept.get(id);
    return prompt !== undefined && giveAnswer(prompt, answer, this.#allowBypass);
  }

  #keep(kept: CallPrompt): void {
    this.#kept.set(kept.id, kept);
    // The next CLI may ask for the same call: that prompt replaces this one.
    void kept.answered.then(() => {
      if (this.#kept.get(kept.id) === kept) this.#settle(kept.id, 'withdrawn');
    });
  }

  #show(prompt: AnyPrompt): void {
    this.#events.add({ kind: 'prompt', prompt: viewPrompt(prompt, this.#now(), this.#allowBypass) });
  }

  /** Records what happened to a prompt; `hasCli` says whether there is still a CLI to answer. */
  changed({ prompt, state }: PromptChange, hasCli: boolean): void {
    if (state === 'open') this.#show(prompt);
    // A prompt that ended with its CLI was not withdrawn: it is kept, or expires.
    else if (state !== 'withdrawn' || hasCli) this.#settle(prompt.id, state);
  }

  #settle(id: string, how: 'answered' | 'withdrawn' | 'expired'): void {
    this.#kept.delete(id);
    const settled = how === 'answered' ? this.#settled.get(id) : undefined;
    this.#events.add({ kind: 'prompt-settled', prompt: id, how, ...settled });
  }
}
