import {
  checkOptions,
  either,
  kinds,
  listOf,
  type OptionSpecs,
  shapeOf,
} from '../../wire/util/option-checks.js';
import type { ManagerOptions } from './manager-options.js';

const ms = { expected: 'a number of milliseconds, 0 or more', accepts: isAmount };
const limit = {
  expected: '"wait" or "fail"',
  accepts: (value: unknown) => value === 'wait' || value === 'fail',
};
const warmKind = either(
  kinds.count,
  listOf(shapeOf({ count: kinds.count, options: kinds.record }, { required: ['count'] })),
);
const amounts = (...names: string[]) => ({
  expected: `an object with ${names.join(', ')}, each a number of 0 or more`,
  accepts: (value: unknown) =>
    kinds.record.accepts(value) &&
    Object.entries(value as object).every(
      ([name, each]) => names.includes(name) && (each === undefined || isAmount(each)),
    ),
});

/** The options of a manager. */
export const managerOptionSpecs: OptionSpecs = {
  store: { kind: kinds.text, sentence: 'The folder in which conversations are kept. One manager at a time.' },
  maxRunning: { kind: kinds.positiveCount, sentence: 'How many CLIs may run at once. Default: 8.' },
  idleMs: {
    kind: ms,
    sentence: 'Parks a conversation after so much idle time, in milliseconds. Default: 10 minutes.',
  },
  warm: {
    kind: warmKind,
    sentence:
      'How many CLIs to keep started ahead for new conversations with the default options, or how many for each set of options. Default: 0.',
  },
  warmMs: {
    kind: ms,
    sentence:
      'Ends a CLI that was started ahead if nobody claims it, after so many milliseconds. Default: 10 minutes.',
  },
  defaults: { kind: kinds.record, sentence: 'Launch options of every conversation.' },
  optionsFor: {
    kind: kinds.callback,
    sentence:
      'Launch options of one conversation, asked for at each start of its CLI, also after a restart: callbacks, hooks, servers and keys, which are never stored.',
  },
  defer: {
    kind: kinds.callback,
    sentence:
      'Which tool calls wait for an answer without a CLI: the conversation is parked meanwhile, and the call is in `keptPrompts`. A CLI that cannot do that asks as usual. Default: none.',
  },
  onLimit: {
    kind: limit,
    sentence: 'What to do at a usage limit: wait until it ends and go on, or settle the turn. Default: wait.',
  },
  limitSpreadMs: {
    kind: ms,
    sentence:
      'Conversations that wait for the same limit go on within so many milliseconds. Default: 1 minute.',
  },
  budgets: {
    kind: amounts('conversation', 'owner', 'day', 'total'),
    sentence: 'What may be spent before the manager asks, in US dollars. Default: no limit.',
  },
  retention: {
    kind: amounts('maxAgeMs', 'maxCount'),
    sentence:
      'Deletes conversations that were not used for so long, or the oldest past a count. Default: keeps all.',
  },
};

/** @throws OptionError for a wrong option, before anything is touched. */
export function checkManagerOptions(options: ManagerOptions): void {
  checkOptions(managerOptionSpecs, options, [
    { option: 'store', problem: ({ store }) => (store === undefined ? 'is needed: a folder' : undefined) },
  ]);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value) && value >= 0;
}
