import type { OptionRule } from '../../wire/util/option-checks.js';
import { launchOptionSpecs } from '../cli/options/cli-option-table.js';
import { optionsOf } from '../cli/options/passing.js';
import type { SessionOptions } from './session-options.js';

/** With a custom transport, options that could not take effect are refused by name. */
export const transportRules: readonly OptionRule<SessionOptions>[] = [
  ...optionsOf(launchOptionSpecs, 'actsOn', 'process').map((option) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] !== undefined && options.transport !== undefined
        ? 'with "transport" the session starts no process, so it would have no effect.'
        : undefined,
  })),
  ...optionsOf(launchOptionSpecs, 'actsOn', 'launch').map((option) => ({
    option,
    problem: (options: SessionOptions) =>
      options[option] !== undefined && isMade(options)
        ? 'it has no effect on an existing "transport": pass a function, which receives the launch options.'
        : undefined,
  })),
  {
    option: 'transport',
    problem: (options) =>
      isMade(options) && options.reopen === 'auto'
        ? 'with "reopen" it must be a function, so that each start can create a new one.'
        : undefined,
  },
  {
    option: 'patched',
    problem: ({ patched, transport }) =>
      patched !== undefined && patched !== false && transport !== undefined
        ? 'with "transport" no CLI is started, so there is nothing to patch.'
        : undefined,
  },
];

function isMade({ transport }: SessionOptions): boolean {
  return transport !== undefined && typeof transport !== 'function';
}
