import { modeName, modeNames } from '../../../src/wire/protocol/mode-names.js';

/** Allows everything without asking: only if the server permits it, and always in red. */
export const BYPASS = 'bypassPermissions';

/** The modes to choose from, including the current one even if it is not offered. */
export function modesWith(
  current: string | undefined,
  allowBypass: boolean,
): readonly (readonly [mode: string, name: string])[] {
  const offered = [...modeNames].filter(([mode]) => allowBypass || mode !== BYPASS || mode === current);
  const isKnown = current === undefined || modeNames.has(current);
  return isKnown ? offered : [...offered, [current, modeName(current)]];
}
