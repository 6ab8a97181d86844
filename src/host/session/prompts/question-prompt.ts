import { isObject, type RequestBody } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { PromptAnswer, PromptContext } from './prompt.js';
import { ToolPrompt } from './tool-prompt.js';

/** A question with its options. */
export interface Question {
  /** The question. */
  readonly question: string;
  /** A word or two for a heading. */
  readonly header: string;
  /** What can be chosen. */
  readonly options: readonly { readonly label: string; readonly description: string }[];
  /** Whether several options may be chosen. */
  readonly multiSelect: boolean;
}

/** One choice: the label of an option, or free text. */
export type QuestionChoice = string | { readonly other: string };

/** Answers by question text: a choice, or several for a multi-select. */
export type QuestionAnswers = Readonly<Record<string, QuestionChoice | readonly QuestionChoice[]>>;

/** The model asks the user one or more questions. This is not a permission. */
export class QuestionPrompt extends ToolPrompt {
  /** The kind of the prompt. */
  readonly kind = 'question';
  /** The questions of the form. */
  readonly questions: readonly Question[];
  #isAnswered = false;

  constructor(body: RequestBody, context: PromptContext) {
    super(body, context);
    this.questions = readQuestions(this.input.questions);
  }

  /**
   * Answers the questions. @throws CoxswainError `ANSWER_INVALID` for an unknown question or option, before anything is
   * sent.
   */
  answer(answers: QuestionAnswers): PromptAnswer {
    if (Object.keys(answers).length === 0 && this.questions.length > 0)
      throw invalid('It contains no answer; use decline() to leave the questions unanswered.');
    const texts = Object.entries(answers).map(([question, given]) => [
      question,
      this.#answerText(question, given),
    ]);
    // Newer CLIs reject answers without the questions next to them.
    const answer = this.settleAllow({ input: { ...this.input, answers: Object.fromEntries(texts) } });
    if (answer.accepted) this.#isAnswered = true;
    return answer;
  }

  /** Whether it was closed without an answer: declined, refused, expired or withdrawn. */
  get unanswered(): boolean {
    return this.state !== 'open' && !this.#isAnswered;
  }

  /** Leaves the questions unanswered; the model gets the reason. */
  decline(reason = 'The user did not answer.'): PromptAnswer {
    return this.refuse(reason);
  }

  /** Several choices go over the wire as one string. */
  #answerText(text: string, given: QuestionChoice | readonly QuestionChoice[]): string {
    const question = this.questions.find((each) => each.question === text);
    if (question === undefined) {
      const known = this.questions.map((each) => JSON.stringify(each.question)).join(', ');
      throw invalid(`There is no question ${JSON.stringify(text)}. The questions are: ${known}.`);
    }
    if (!isList(given)) return choiceText(question, given);
    if (!question.multiSelect) throw invalid(`${JSON.stringify(text)} takes one answer, not a list.`);
    if (given.length === 0)
      throw invalid(`${JSON.stringify(text)} was answered with an empty list; omit the question instead.`);
    return given.map((choice) => choiceText(question, choice)).join(', ');
  }
}

function isList(given: QuestionChoice | readonly QuestionChoice[]): given is readonly QuestionChoice[] {
  return Array.isArray(given);
}

function choiceText({ question, options }: Question, choice: QuestionChoice): string {
  if (typeof choice === 'object' && choice !== null && typeof choice.other === 'string') return choice.other;
  if (typeof choice === 'string' && options.some(({ label }) => label === choice)) return choice;
  const known = options.map(({ label }) => JSON.stringify(label)).join(', ');
  const given = JSON.stringify(choice);
  throw invalid(
    `${given} is not an option of ${JSON.stringify(question)}: ${known}. For free text, use { other: ${given} }.`,
  );
}

function invalid(message: string): CoxswainError {
  return new CoxswainError('ANSWER_INVALID', message);
}

function readQuestions(questions: unknown): readonly Question[] {
  if (!Array.isArray(questions)) return [];
  return questions.filter(isObject).map((question) => ({
    question: answerText(question.question),
    header: answerText(question.header),
    multiSelect: question.multiSelect === true,
    options: (Array.isArray(question.options) ? question.options.filter(isObject) : []).map((option) => ({
      label: answerText(option.label),
      description: answerText(option.description),
    })),
  }));
}

/** The model writes the payload; anything that is not text has no place in a form. */
function answerText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
