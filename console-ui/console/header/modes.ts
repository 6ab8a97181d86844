/** The permission modes with their names for people. */
export const MODES: readonly (readonly [mode: string, name: string])[] = [
  ['default', 'Ask'],
  ['acceptEdits', 'Accept edits'],
  ['plan', 'Plan'],
  ['dontAsk', 'Deny what would ask'],
  ['auto', 'Auto'],
];

/** Everything is allowed without asking: only where the server was told to permit it, and always in red. */
export const BYPASS = 'bypassPermissions';

/** The modes to choose from, with the one in force even if it is not offered. */
export function modesWith(
  current: string | undefined,
  allowBypass: boolean,
): readonly (readonly [string, string])[] {
  const offered = allowBypass ? [...MODES, [BYPASS, 'Allow everything'] as const] : MODES;
  const isKnown = current === undefined || offered.some(([mode]) => mode === current);
  if (isKnown) return offered;
  return [...offered, [current, current === BYPASS ? 'Allow everything' : current]];
}
