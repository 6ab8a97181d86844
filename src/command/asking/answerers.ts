import type { PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
import type { PromptAnswer } from '../../host/session/prompts/prompt.js';
import type { QuestionPrompt } from '../../host/session/prompts/question-prompt.js';
import { toolLabel } from '../../wire/protocol/tool-label.js';
import { plainLine } from '../../wire/util/plain.js';
import type { Screen } from '../terminal/screen.js';

/** How many questions were allowed, denied, or left without an answer. */
export interface Tally {
  allowed: number;
  denied: number;
  unanswered: number;
}

/** Answers what the CLI asks a person. */
export interface Answerer {
  readonly tally: Readonly<Tally>;
  /** Whether a question is currently shown to a person. */
  readonly asking: boolean;
  permission(prompt: PermissionPrompt): Promise<PromptAnswer>;
  question(prompt: QuestionPrompt): Promise<PromptAnswer>;
}

/** Nothing has been asked yet. */
export function newTally(): Tally {
  return { allowed: 0, denied: 0, unanswered: 0 };
}

/** Nobody can be asked: denies everything and prints the reason. */
export class RefusingAnswerer implements Answerer {
  readonly tally = newTally();
  readonly asking = false;
  readonly #screen: Screen;
  readonly #why: string;

  /** `why` nobody can be asked, such as "there is no terminal". */
  constructor(screen: Screen, why: string) {
    this.#screen = screen;
    this.#why = why;
  }

  async permission(prompt: PermissionPrompt): Promise<PromptAnswer> {
    const { tool, input } = prompt;
    this.#refuse(
      `Denied ${toolLabel(tool, input)}`,
      `allow it with --allow '${plainLine(tool, 60)}', or choose a --permission-mode.`,
    );
    return prompt.deny(`No one is available to grant permission (${this.#why}).`);
  }

  async question(prompt: QuestionPrompt): Promise<PromptAnswer> {
    const asked = prompt.questions.map(({ question }) => plainLine(question)).join(' ');
    this.#refuse(
      `Question left unanswered: ${asked}`,
      'run it in a terminal, or put the answer into the prompt.',
    );
    return prompt.decline(
      `No one is available to answer (${this.#why}). Decide yourself, or state what you need to know.`,
    );
  }

  #refuse(what: string, remedy: string): void {
    this.tally.unanswered += 1;
    this.#screen.note(`${what}: ${this.#why}; ${remedy}`);
  }
}

/** Nobody can be asked: grants everything, takes the first option, and prints each decision. For the demo. */
export class DefaultAnswerer implements Answerer {
  readonly tally = newTally();
  readonly asking = false;
  readonly #screen: Screen;
  readonly #why: string;

  constructor(screen: Screen, why: string) {
    this.#screen = screen;
    this.#why = why;
  }

  async permission(prompt: PermissionPrompt): Promise<PromptAnswer> {
    this.tally.allowed += 1;
    const label = toolLabel(prompt.tool, prompt.input);
    this.#screen.note(`Permission: ${label}\n  Using the default, because ${this.#why}: allow once`);
    return prompt.allow();
  }

  async question(prompt: QuestionPrompt): Promise<PromptAnswer> {
    this.tally.allowed += 1;
    const answers = prompt.questions.map(({ question, options, multiSelect }) => {
      const choice = options[0]?.label ?? { other: 'yes' };
      const shown = typeof choice === 'string' ? choice : choice.other;
      this.#screen.note(
        `Question: ${plainLine(question)}\n  Using the default, because ${this.#why}: ${plainLine(shown)}`,
      );
      return [question, multiSelect ? [choice] : choice] as const;
    });
    return prompt.answer(Object.fromEntries(answers));
  }
}
