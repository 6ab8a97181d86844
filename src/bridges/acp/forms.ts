import type {
  CreateElicitationResponse,
  ElicitationPropertySchema,
  ElicitationSchema,
} from '@agentclientprotocol/sdk';
import type {
  Question,
  QuestionAnswers,
  QuestionChoice,
} from '../../host/session/prompts/question-prompt.js';
import { isObject } from '../../wire/protocol/frames.js';

/** The model's questions as a form: one field for the choice, and one for free text. */
export function formOf(questions: readonly Question[]): ElicitationSchema {
  const fields = questions.flatMap((question, at): [string, ElicitationPropertySchema][] => [
    [choiceField(at), choicesOf(question)],
    [
      wordsField(at),
      { type: 'string', title: 'Another answer', description: `In your own words: ${question.question}` },
    ],
  ]);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

/** The answers in a form; none if nothing was chosen. */
export function answersIn(
  response: CreateElicitationResponse,
  questions: readonly Question[],
): QuestionAnswers {
  const content = response.action === 'accept' && isObject(response.content) ? response.content : {};
  const answers = questions.flatMap((question, at) => {
    const choices = answersTo(question, content[choiceField(at)], content[wordsField(at)]);
    const [first] = choices;
    if (first === undefined) return [];
    return [[question.question, question.multiSelect ? choices : first]] as const;
  });
  return Object.fromEntries(answers);
}

function answersTo(
  { options, multiSelect }: Question,
  chosen: unknown,
  words: unknown,
): readonly QuestionChoice[] {
  const given = (Array.isArray(chosen) ? chosen : [chosen]).filter((label) => typeof label === 'string');
  const own = typeof words === 'string' && words !== '' ? [{ other: words }] : [];
  const known = given.map(
    (label): QuestionChoice => (options.some((option) => option.label === label) ? label : { other: label }),
  );
  // If only one answer is allowed, free text takes precedence.
  return multiSelect ? [...known, ...own] : [...own, ...known];
}

function choicesOf({ question, header, options, multiSelect }: Question): ElicitationPropertySchema {
  const choices = options.map(({ label, description }) => ({ const: label, title: label, description }));
  const about = { title: header === '' ? question : header, description: question };
  return multiSelect
    ? { type: 'array', ...about, items: { anyOf: choices } }
    : { type: 'string', ...about, oneOf: choices };
}

const choiceField = (at: number) => `question_${at}`;
const wordsField = (at: number) => `question_${at}_other`;
