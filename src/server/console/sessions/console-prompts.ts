import type { ClientName, PromptAnswer, PromptView } from '../../../entry/remote/contract.js';
import { type AnyPrompt, type PromptChange, toolPrompt } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import { Cancellation } from '../../../wire/peer/cancellation.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { KeptPrompt } from '../../manager/conversations/kept-prompts.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import type { EventLog } from '../log/event-log.js';
import { answerBudget, giveAnswer } from './prompt-answers.js';
import { viewBudget, viewPrompt } from './prompt-views.js';
import type { SessionClis } from './session-clis.js';

/** How many settled prompts to remember, to tell late answerers who was first. */
const SETTLED_KEPT = 256;

/** The dependencies of {@link ConsolePrompts}. */
export interface ConsolePromptsParts {
  readonly log: EventLog;
  readonly now: () => number;
  readonly clis: Pick<SessionClis, 'isClosed'>;
}

/** Whether an answer counted, and whose did. */
export interface Answered {
  readonly accepted: boolean;
  readonly by?: ClientName;
}

/** A session's prompts as clients see them: which are open, and who answered which. */
export class ConsolePrompts {
  readonly #log: EventLog;
  readonly #now: () => number;
  readonly #clis: Pick<SessionClis, 'isClosed'>;
  readonly #open = new Map<string, PromptView>();
  /** Prompts whose CLI is gone. */
  readonly #kept = new Map<string, KeptPrompt>();
  #budget: BudgetPrompt | undefined;
  readonly #settled = new RecentMap<string, { by: ClientName; answer: PromptAnswer }>(SETTLED_KEPT);

  constructor({ log, now, clis }: ConsolePromptsParts) {
    this.#log = log;
    this.#now = now;
    this.#clis = clis;
  }

  /** Open prompts, oldest first. */
  get open(): readonly PromptView[] {
    return [...this.#open.values()];
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
    const kept = this.#kept.get(id);
    const later = kept === undefined ? undefined : await answerFor(kept, answer);
    if (this.#give(session, id, answer, later)) {
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
    const view = viewBudget(prompt, this.#now());
    this.#open.set(prompt.id, view);
    this.#log.add({ kind: 'prompt', prompt: view });
    onChange();
    const { kind } = await prompt.decided;
    // The next server asks again.
    if (this.#clis.isClosed || this.#budget !== prompt) return;
    this.#budget = undefined;
    this.#settle(prompt.id, kind === 'withdrawn' ? 'withdrawn' : 'answered');
    onChange();
  }

  /** Whether a prompt can be answered although its CLI is gone. */
  isKept(id: string): boolean {
    return this.#kept.has(id);
  }

  /** The CLI is gone: these prompts are kept, and their answers go to the next CLI; all others are over. */
  lost(kept: readonly KeptPrompt[]): void {
    for (const each of kept.filter(({ id }) => !this.#kept.has(id))) this.#keep(each);
    const over = [...this.#open.keys()].filter(
      (id) => id !== this.#budget?.id && !kept.some((each) => each.id === id),
    );
    for (const id of over) this.#settle(id, 'expired');
  }

  #give(session: Session | undefined, id: string, answer: PromptAnswer, later?: WireObject): boolean {
    if (this.#budget?.id === id) return answerBudget(this.#budget, answer);
    const prompt = session?.prompts.find(id);
    if (prompt !== undefined) return giveAnswer(prompt, answer);
    const kept = this.#kept.get(id);
    if (kept === undefined || later === undefined) return false;
    kept.answerAs(later);
    return true;
  }

  #keep(kept: KeptPrompt): void {
    this.#kept.set(kept.id, kept);
    if (!this.#open.has(kept.id)) this.#open.set(kept.id, viewPrompt(keptPrompt(kept), this.#now()));
  }

  /** Records what happened to a prompt; `hasCli` says whether there is still a CLI to answer. */
  changed({ prompt, state }: PromptChange, hasCli: boolean): void {
    if (state === 'open') {
      const view = viewPrompt(prompt, this.#now());
      this.#open.set(prompt.id, view);
      this.#log.add({ kind: 'prompt', prompt: view });
      return;
    }
    // A prompt that ended with its CLI was not withdrawn: it is kept, or expires.
    if (state !== 'withdrawn' || hasCli) this.#settle(prompt.id, state);
  }

  #settle(id: string, how: 'answered' | 'withdrawn' | 'expired'): void {
    this.#open.delete(id);
    this.#kept.delete(id);
    const settled = how === 'answered' ? this.#settled.get(id) : undefined;
    this.#log.add({ kind: 'prompt-settled', prompt: id, how, ...settled });
  }
}

function keptPrompt({ id, raw }: KeptPrompt): AnyPrompt {
  const withdrawal = new Cancellation();
  return toolPrompt({ ...raw, subtype: 'can_use_tool' }, { id, withdrawal, signal: withdrawal.signal });
}

/** An answer as the next CLI gets it. */
function answerFor(kept: KeptPrompt, answer: PromptAnswer): Promise<WireObject> {
  const prompt = keptPrompt(kept);
  giveAnswer(prompt, answer);
  return prompt.answered;
}
