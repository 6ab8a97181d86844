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
export type StoredOptions = Pick<SessionOptions, StoredOption>;

/** The stored part of launch options. */
export function storedOptions(options: StoredOptions): StoredOptions {
  const stored: Writable<StoredOptions> = {};
  for (const name of STORED) copy(options, stored, name);
  return stored;
}

type Writable<Options> = { -readonly [Name in keyof Options]: Options[Name] };

function copy<Name extends keyof StoredOptions>(
  from: StoredOptions,
  to: Writable<Pick<StoredOptions, Name>>,
  name: Name,
): void {
  if (from[name] !== undefined) to[name] = from[name];
}
