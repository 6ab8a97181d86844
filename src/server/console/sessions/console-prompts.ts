import type { ClientName, PromptAnswer, PromptView } from '../../../entry/remote/contract.js';
import type { PromptChange } from '../../../host/session/prompts/open-prompts.js';
import type { Session } from '../../../host/session/session.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { EventLog } from '../log/event-log.js';
import { giveAnswer } from './prompt-answers.js';
import { viewPrompt } from './prompt-views.js';

/** How many settled prompts are remembered, to tell a late answerer who was first. */
const SETTLED_KEPT = 256;

/** The prompts of a session as clients see them: which are open, and who answered which. */
export class ConsolePrompts {
  readonly #log: EventLog;
  readonly #now: () => number;
  readonly #open = new Map<string, PromptView>();
  readonly #settled = new RecentMap<string, { by: ClientName; answer: PromptAnswer }>(SETTLED_KEPT);

  constructor(log: EventLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** The open ones, oldest first. */
  get open(): readonly PromptView[] {
    return [...this.#open.values()];
  }

  /** Answers a prompt; only the first answer counts, and the others learn whose it was. */
  answer(
    session: Session | undefined,
    { id, answer }: { readonly id: string; readonly answer: PromptAnswer },
    by: ClientName,
  ): { accepted: boolean; by?: ClientName } {
    const prompt = session?.prompts.find(id);
    if (prompt !== undefined && giveAnswer(prompt, answer)) {
      this.#settled.set(id, { by, answer });
      return { accepted: true, by };
    }
    const settled = this.#settled.get(id);
    return settled === undefined ? { accepted: false } : { accepted: false, by: settled.by };
  }

  /** Notes what happened to a prompt; `hasCli` says whether there is still somebody to answer to. */
  changed({ prompt, state }: PromptChange, hasCli: boolean): void {
    if (state === 'open') {
      const view = viewPrompt(prompt, this.#now());
      this.#open.set(prompt.id, view);
      this.#log.add({ kind: 'prompt', prompt: view });
      return;
    }
    this.#open.delete(prompt.id);
    const settled = state === 'answered' ? this.#settled.get(prompt.id) : undefined;
    // One that went with its CLI was not taken back.
    const how = state === 'withdrawn' && !hasCli ? 'expired' : state;
    this.#log.add({ kind: 'prompt-settled', prompt: prompt.id, how, ...settled });
  }
}
