import type { Requirements } from '../requirement.js';

/** Questions of the model to the user. */
export const questionRequirements = {
  'question:asked': {
    behaviour: 'A question comes as a permission prompt for `AskUserQuestion` with the questions as input.',
  },
  'question:answered': {
    behaviour: 'Answers next to the repeated questions reach the model.',
  },
  'question:answers-alone': {
    behaviour: 'Answers without the questions are accepted.',
  },
  'question:several': {
    behaviour: 'Several choices are passed as one string, joined by commas.',
  },
  'question:list': {
    behaviour: 'A list of choices is accepted as well.',
  },
  'question:own-words': {
    behaviour: 'An answer need not be one of the options.',
  },
  'question:stray-answer': {
    behaviour: 'An answer to an unknown question counts as no answer.',
  },
  'question:declined': {
    behaviour: 'A denial declines the question, and the turn continues.',
  },
  'question:in-bypass': {
    behaviour: 'Questions are also asked in the mode `bypassPermissions`.',
  },
} as const satisfies Requirements;
