import type { ChoiceInput, QuestionView } from '../../../src/entry/remote/contract.js';

export type Question = QuestionView['questions'][number];

/** What a person has selected for one question so far. */
export interface Chosen {
  readonly labels: readonly string[];
  readonly usesOther: boolean;
  readonly other: string;
}

/** Nothing is selected yet. */
export const NOTHING: Chosen = { labels: [], usesOther: false, other: '' };

/** Selects an option, or deselects it if several are allowed. */
export function choose(question: Question, chosen: Chosen, label: string): Chosen {
  if (!question.multiSelect) return { ...chosen, labels: [label], usesOther: false };
  const labels = chosen.labels.includes(label)
    ? chosen.labels.filter((each) => each !== label)
    : [...chosen.labels, label];
  return { ...chosen, labels };
}

/** Selects the free text; in addition to options only if several are allowed. */
export function chooseOther(question: Question, chosen: Chosen, uses: boolean): Chosen {
  return { ...chosen, usesOther: uses, labels: question.multiSelect || !uses ? chosen.labels : [] };
}

/** Whether a question has an answer. */
export function isAnswered(chosen: Chosen): boolean {
  return chosen.labels.length > 0 || (chosen.usesOther && chosen.other.trim() !== '');
}

/** The index of the first question without an answer, or -1. */
export function firstUnanswered(questions: readonly Question[], chosen: readonly Chosen[]): number {
  return questions.findIndex((_, index) => !isAnswered(chosen[index] ?? NOTHING));
}

/** The answers in the server's format, by question; unanswered ones are left out. */
export function answersOf(
  questions: readonly Question[],
  chosen: readonly Chosen[],
): Readonly<Record<string, ChoiceInput | readonly ChoiceInput[]>> {
  const entries = questions.flatMap((question, index) => {
    const own = chosen[index] ?? NOTHING;
    if (!isAnswered(own)) return [];
    const other = own.usesOther && own.other.trim() !== '' ? [{ other: own.other.trim() }] : [];
    // In the order of the options, no matter which was selected first.
    const labels = question.options.map(({ label }) => label).filter((label) => own.labels.includes(label));
    const all: ChoiceInput[] = [...labels, ...other];
    return [[question.question, question.multiSelect ? all : (all[0] ?? '')] as const];
  });
  return Object.fromEntries(entries);
}
