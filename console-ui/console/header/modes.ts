/** The permission modes with their display names. */
const MODES: readonly (readonly [mode: string, name: string])[] = [
  ['default', 'Asks first'],
  ['acceptEdits', 'Accepts edits'],
  ['plan', 'Plans only'],
  ['dontAsk', 'Never asks, denies'],
  ['auto', 'Decides itself'],
];

/** Allows everything without asking: only if the server permits it, and always in red. */
export const BYPASS = 'bypassPermissions';

/** The modes to choose from, including the current one even if it is not offered. */
export function modesWith(
  current: string | undefined,
  allowBypass: boolean,
): readonly (readonly [string, string])[] {
  const offered = allowBypass ? [...MODES, [BYPASS, 'Allows everything'] as const] : MODES;
  const isKnown = current === undefined || offered.some(([mode]) => mode === current);
  if (isKnown) return offered;
  return [...offered, [current, current === BYPASS ? 'Allows everything' : current]];
}
