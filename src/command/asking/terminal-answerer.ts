import type { PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
import type { PromptAnswer } from '../../host/session/prompts/prompt.js';
import type { Question, QuestionChoice, QuestionPrompt } from '../../host/session/prompts/question-prompt.js';
import type { Keyboard } from '../terminal/keyboard.js';
import type { Screen } from '../terminal/screen.js';
import { type Answerer, newTally } from './answerers.js';
import { choicesFor, type OfferedChoice, permissionText, readChoice } from './permission-form.js';
import { questionPrompt, questionText, readAnswer } from './question-form.js';

/** Asks the person at the terminal one question at a time; withdrawn questions disappear. */
export class TerminalAnswerer implements Answerer {
  readonly tally = newTally();
  readonly #screen: Screen;
  readonly #keyboard: Keyboard;
  readonly #leaves: boolean;
  #last: Promise<unknown> = Promise.resolve();
  #asking = 0;

  /**
   * With `leaves`, questions still open when the input ends are left for others to answer; otherwise they are
   * denied.
   */
  constructor(screen: Screen, keyboard: Keyboard, { leaves = false } = {}) {
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#leaves = leaves;
  }

  get asking(): boolean {
    return this.#asking > 0;
  }

  permission(prompt: PermissionPrompt): Promise<PromptAnswer> {
    return this.#inTurn(async () => {
      const decision = await this.#choose(prompt);
      if (decision === undefined) return this.#unanswered(prompt);
      const { choice, remember } = decision.choice;
      this.tally[choice === 'deny' ? 'denied' : 'allowed'] += 1;
      if (choice === 'allow') return prompt.allow({ remember });
      return prompt.deny(decision.reason === '' ? 'The user denied it in the terminal.' : decision.reason);
    });
  }

  question(prompt: QuestionPrompt): Promise<PromptAnswer> {
    return this.#inTurn(async () => {
      const answers: Record<string, QuestionChoice | readonly QuestionChoice[]> = {};
      for (const question of prompt.questions) {
        const answer = await this.#answer(question, prompt.signal);
        if (answer === undefined) return this.#unanswered(prompt);
        answers[question.question] = answer;
      }
      this.tally.allowed += 1;
      return prompt.answer(answers);
    });
  }

  /** CLIs ask several questions at once; a person reads them one at a time. */
  #inTurn(ask: () => Promise<PromptAnswer>): Promise<PromptAnswer> {
    this.#asking += 1;
    const answer = this.#last.then(ask).finally(() => {
      this.#asking -= 1;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #choose(
    prompt: PermissionPrompt,
  ): Promise<{ readonly choice: OfferedChoice; readonly reason: string } | undefined> {
    if (prompt.signal.aborted) return undefined;
    const choices = choicesFor(prompt);
    this.#screen.note(permissionText(prompt, choices, this.#screen.look));
    const letters = choices.map(({ letter }) => letter).join('/');
    for (;;) {
      const line = await this.#line(`  your choice (${letters}): `, prompt.signal);
      if (line === undefined) return undefined;
      const decision = readChoice(line, choices);
      if (decision !== undefined) return decision;
      this.#screen.note(`  Please type one of ${letters}, or a number.`);
    }
  }

  async #answer(
    question: Question,
    signal: AbortSignal,
  ): Promise<QuestionChoice | readonly QuestionChoice[] | undefined> {
    if (signal.aborted) return undefined;
    this.#screen.note(questionText(question, this.#screen.look));
    for (;;) {
      const line = await this.#line(questionPrompt(question), signal);
      if (line === undefined) return undefined;
      const read = readAnswer(line, question);
      if ('answer' in read) return read.answer;
      this.#screen.note(`  ${read.problem}`);
    }
  }

  #line(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#screen.ask(prompt, () => this.#keyboard.readLine(signal));
  }

  #unanswered(prompt: PermissionPrompt | QuestionPrompt): PromptAnswer {
    if (prompt.state !== 'open') {
      this.#screen.note(this.#screen.look.dim('  (withdrawn: no answer needed)'));
      return prompt.defer();
    }
    if (this.#leaves) return prompt.defer();
    this.tally.unanswered += 1;
    this.#screen.note('  Input closed: denied.');
    return prompt.refuse('Nobody answered: the terminal input ended.');
  }
}
