import type { Options } from '../types/option-types.js';

/** The options that are set: programs pass `null` to leave one to the CLI. */
export function givenOptions(options: Options | null = {}): Options {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null));
}
