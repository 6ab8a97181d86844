import { LATEST_FAILS, OLD_FAIL, type Requirements } from '../requirement.js';

/** Questions of the model to the user. */
export const questionRequirements = {
  'question:asked': {
    behaviour: 'A question comes as a permission prompt for `AskUserQuestion` with the questions as input.',
    source: 'protocol.md §3.2',
  },
  'question:answered': {
    behaviour: 'Answers beside the repeated questions reach the model.',
    source: 'protocol.md §3.2',
  },
  'question:answers-alone': {
    behaviour: 'Answers without the questions are accepted.',
    source: 'protocol.md §1.2',
    except: LATEST_FAILS,
  },
  'question:several': {
    behaviour: 'Several choices are given as one text, joined by a comma.',
    source: 'protocol.md §3.2',
  },
  'question:list': {
    behaviour: 'A list of choices is accepted as well.',
    source: 'protocol.md §3.2',
  },
  'question:own-words': {
    behaviour: 'An answer need not be one of the options.',
    source: 'protocol.md §3.2',
  },
  'question:stray-answer': {
    behaviour: 'An answer to a question that was not asked counts as no answer.',
    source: 'protocol.md §3.2',
    except: OLD_FAIL,
  },
  'question:declined': {
    behaviour: 'A denial declines the question, and the turn goes on.',
    source: 'protocol.md §3.2',
  },
  'question:in-bypass': {
    behaviour: 'Questions are asked also in the mode `bypassPermissions`.',
    source: 'protocol.md §3.2',
  },
} as const satisfies Requirements;
