import { checkOptions, kinds, type OptionSpecs } from '../../wire/util/option-checks.js';
import type { ManagerOptions } from './manager-options.js';

const ms = { expected: 'a number of milliseconds, 0 or more', accepts: isAmount };
const limit = {
  expected: '"wait" or "fail"',
  accepts: (value: unknown) => value === 'wait' || value === 'fail',
};
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
  idleMs: { kind: ms, sentence: 'Parks a conversation after so much idle time. Default: 10 minutes.' },
  warm: { kind: kinds.count, sentence: 'How many CLIs to keep started ahead. Default: 0.' },
  warmMs: { kind: ms, sentence: 'Ends a CLI started ahead that nobody claims. Default: 10 minutes.' },
  defaults: { kind: kinds.record, sentence: 'Launch options of every conversation.' },
  optionsFor: {
    kind: kinds.callback,
    sentence: 'Launch options of one conversation, asked for at each start.',
  },
  onLimit: { kind: limit, sentence: 'What to do at a usage limit. Default: wait.' },
  limitSpreadMs: {
    kind: ms,
    sentence: 'Within which time conversations go on after a limit. Default: 1 minute.',
  },
  budgets: {
    kind: amounts('conversation', 'owner', 'day', 'total'),
    sentence: 'What may be spent, in US dollars.',
  },
  retention: {
    kind: amounts('maxAgeMs', 'maxCount'),
    sentence: 'Which conversations are kept. Default: all.',
  },
  onDiagnostic: { kind: kinds.callback, sentence: 'Is told what goes wrong without stopping anything.' },
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
