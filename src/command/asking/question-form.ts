import type { Question, QuestionChoice } from '../../host/session/prompts/question-prompt.js';
import { plainLine } from '../../wire/util/plain.js';
import type { Look } from '../terminal/look.js';

/** A question with its options, as shown in the terminal. */
export function questionText({ question, header, options }: Question, look: Look): string {
  const title = header === '' ? 'Question:' : `${plainLine(header, 40)}:`;
  return [
    `${look.cyan(title)} ${look.bold(plainLine(question, 500))}`,
    ...options.map(({ label, description }, index) => {
      const more =
        description === '' || description === label ? '' : look.dim(` - ${plainLine(description)}`);
      return `  ${index + 1}) ${plainLine(label)}${more}`;
    }),
  ].join('\n');
}

/** The possible inputs, shown before the cursor. */
export function questionPrompt({ options, multiSelect }: Question): string {
  if (options.length === 0) return '  your answer: ';
  return multiSelect ? '  numbers (1,3) or your own words: ' : '  number or your own words: ';
}

/** What a person typed, understood or not. */
export type ReadAnswer =
  | { readonly answer: QuestionChoice | readonly QuestionChoice[] }
  | { readonly problem: string };

/** Accepts option numbers, the text of an option, or anything else as a free answer. */
export function readAnswer(line: string, question: Question): ReadAnswer {
  const text = line.trim();
  if (text === '') return { problem: 'No input.' };
  return question.multiSelect ? readSeveral(text, question) : readOne(text, question);
}

function readOne(text: string, question: Question): ReadAnswer {
  const label = optionNamed(text, question);
  if (label !== undefined) return { answer: label };
  return /^\d+$/.test(text) && question.options.length > 0
    ? noSuch(text, question)
    : { answer: { other: text } };
}

function readSeveral(text: string, question: Question): ReadAnswer {
  const parts = text.split(/^[\d\s,]+$/.test(text) ? /[,\s]+/ : /\s*,\s*/).filter((part) => part !== '');
  const labels = parts.map((part) => optionNamed(part, question));
  const known = labels.filter((label) => label !== undefined);
  if (known.length === parts.length && known.length > 0) return { answer: [...new Set(known)] };
  const wrong = parts.find((part, index) => labels[index] === undefined && /^\d+$/.test(part));
  return wrong === undefined || question.options.length === 0
    ? { answer: [{ other: text }] }
    : noSuch(wrong, question);
}

function optionNamed(text: string, { options }: Question): string | undefined {
  if (/^\d+$/.test(text)) return options[Number(text) - 1]?.label;
  return options.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.label;
}

function noSuch(text: string, { options }: Question): ReadAnswer {
  return { problem: `There is no option ${text}: choose 1 to ${options.length}.` };
}
