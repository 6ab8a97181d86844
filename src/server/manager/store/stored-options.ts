import { launchOptionSpecs } from '../../../host/cli/options/cli-option-table.js';
import { initializeOptionSpecs } from '../../../host/cli/options/initialize-options.js';
import { type InferredNames, optionsOf } from '../../../host/cli/options/passing.js';
import type { SessionOptions } from '../../../host/session/session-options.js';

const specs = { ...launchOptionSpecs, ...initializeOptionSpecs };

/** A launch option that managers store and fleets send: plain data without secrets. */
export type StoredOption = InferredNames<typeof specs, 'stored', true>;

/** The names of these options. The program provides keys, environment, servers, hooks and callbacks again. */
export const STORED: readonly StoredOption[] = optionsOf(specs, 'stored', true);

/** A part of the launch options, as plain data. */
export type StoredOptions = Readonly<Partial<Record<StoredOption, unknown>>>;

/** The stored part of launch options. */
export function storedOptions(options: SessionOptions): StoredOptions {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    STORED.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
}
