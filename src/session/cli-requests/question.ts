import type { RequestHandler } from '../../peer/received-requests.js';
import { isObject, type WireObject } from '../../protocol/frames.js';
import { CoxswainError } from '../../util/errors.js';
import { deny, type PermissionAnswer } from './permission.js';

/** One question of a form. */
export interface Question {
  readonly question: string;
  readonly header: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect: boolean;
}

/** Answers by question text: a label, several for a multi-select, or free text. */
export type QuestionAnswers = Readonly<Record<string, string | readonly string[]>>;

/** The model asks a person something. */
export interface QuestionForm {
  readonly id: string;
  readonly questions: readonly Question[];
  /** The request with all its keys, as it came. */
  readonly raw: WireObject;
  /** Aborted when the CLI withdraws the form. */
  readonly signal: AbortSignal;
  /** Answers the form; a question that is not in it is refused before anything is sent. */
  answer(answers: QuestionAnswers): PermissionAnswer;
  /** Leaves it unanswered. */
  decline(reason?: string): PermissionAnswer;
}

/** Answers a form. Whatever is not a clear answer declines it. */
export type OnQuestion = (form: QuestionForm) => PermissionAnswer | Promise<PermissionAnswer>;

/** Shows an AskUserQuestion call as a form. */
export function questionHandler(onQuestion: OnQuestion): RequestHandler {
  return (body, { id, signal }) => {
    const input = isObject(body.input) ? body.input : {};
    const questions = readQuestions(input.questions);
    return onQuestion({
      id,
      questions,
      raw: body,
      signal,
      answer: (answers) => {
        checkAnswers(questions, answers);
        // 2.1.325 rejects the answers without the questions beside them.
        return { behavior: 'allow', updatedInput: { ...input, answers: joined(answers) } };
      },
      decline: (reason = 'The person did not answer.') => deny(reason),
    });
  };
}

function readQuestions(questions: unknown): readonly Question[] {
  if (!Array.isArray(questions)) return [];
  return questions.filter(isObject).map((question) => ({
    question: String(question.question ?? ''),
    header: String(question.header ?? ''),
    multiSelect: question.multiSelect === true,
    options: (Array.isArray(question.options) ? question.options.filter(isObject) : []).map((option) => ({
      label: String(option.label ?? ''),
      description: String(option.description ?? ''),
    })),
  }));
}

function checkAnswers(questions: readonly Question[], answers: QuestionAnswers): void {
  for (const [text, answer] of Object.entries(answers)) {
    const question = questions.find((each) => each.question === text);
    if (question === undefined) {
      const known = questions.map((each) => JSON.stringify(each.question)).join(', ');
      throw new CoxswainError(
        'ANSWER_INVALID',
        `There is no question ${JSON.stringify(text)}. The form asks: ${known}.`,
      );
    }
    if (Array.isArray(answer) && !question.multiSelect) {
      throw new CoxswainError('ANSWER_INVALID', `${JSON.stringify(text)} takes one answer, not a list.`);
    }
  }
}

/** Several choices go over the wire as one string. */
function joined(answers: QuestionAnswers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(answers).map(([text, answer]) => [
      text,
      typeof answer === 'string' ? answer : answer.join(', '),
    ]),
  );
}
