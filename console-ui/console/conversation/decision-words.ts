import type { ChoiceInput, PromptAnswer } from '../../../src/entry/remote/contract.js';
import { isObject } from '../../../src/wire/protocol/frames.js';
import type { Decision } from '../model/items.js';

/** The outcome of a prompt in words, from one client's view. */
export function decisionWords({ how, by, answer }: Decision, client: string): string {
  const who = by === undefined ? '' : ` by ${by.client === client ? 'you' : by.name}${keyWords(by.key)}`;
  if (how !== 'answered') return `Prompt ${how}${who}`;
  const [verb, more] = answer === undefined ? ['Answered', ''] : answerWords(answer);
  return `${verb}${who}${more === '' ? '' : `: ${more}`}`;
}

function keyWords(key: string | undefined): string {
  return key === undefined || key === 'owner' ? '' : ` (key “${key}”)`;
}

/** Whether a tool did not run, or a person's answer was not used. */
export function isNegative({ how, answer }: Decision): boolean {
  return how !== 'answered' || NEGATIVE.has(answer?.answer ?? '');
}

const NEGATIVE: ReadonlySet<string> = new Set(['deny', 'reject', 'decline', 'cancel']);

function answerWords(answer: PromptAnswer): readonly [verb: string, more: string] {
  switch (answer.answer) {
    case 'allow':
      return [`Allowed${howLong(answer)}`, answer.input === undefined ? '' : 'with another input'];
    case 'deny':
      return ['Denied', answer.reason ?? ''];
    case 'choices':
      return ['Answered', Object.values(answer.choices).map(choiceWords).join('; ')];
    case 'approve':
      return ['Plan approved', answer.input === undefined ? '' : 'with changes'];
    case 'reject':
      return ['Sent back', answer.feedback];
    case 'decline':
      return ['Left unanswered', answer.reason ?? ''];
    case 'cancel':
      return ['Cancelled', ''];
    default:
      return ['Answered', ''];
  }
}

/** A session's rules end with it; those in settings files stay. */
function howLong({ permissions = [], remember = [] }: Extract<PromptAnswer, { answer: 'allow' }>): string {
  if (permissions.length === 0 && remember.length === 0) return '';
  const isOfSession =
    permissions.every((each) => isObject(each) && each.destination === 'session') &&
    remember.every((id) => id.endsWith(':session'));
  return isOfSession ? ' for this session' : ' permanently';
}

function choiceWords(choice: ChoiceInput | readonly ChoiceInput[]): string {
  const choices: readonly ChoiceInput[] = Array.isArray(choice) ? choice : [choice as ChoiceInput];
  return choices.map((each) => (typeof each === 'string' ? each : each.other)).join(', ');
}
