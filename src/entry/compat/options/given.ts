import type { Options } from '../types/option-types.js';

/** The options that say something: programs pass `null` for one that they leave to the CLI. */
export function givenOptions(options: Options | null = {}): Options {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null));
}
