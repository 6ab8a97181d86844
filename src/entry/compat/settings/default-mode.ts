import { isObject } from '../../../wire/protocol/frames.js';
import type { ResolvedSettings } from '../types/setting-types.js';
import type { Settings } from '../types/settings/settings.js';

/** The less strict modes. */
const ESCALATING: ReadonlySet<unknown> = new Set(['bypassPermissions', 'auto', 'acceptEdits']);

/** Returns the settings without a less strict mode from the repository, which the user did not choose. */
export function filterEscalatingDefaultMode({ effective, sources }: ResolvedSettings): Settings {
  const { permissions } = effective;
  if (!isObject(permissions) || !ESCALATING.has(permissions.defaultMode)) return effective;
  const setBy = sources.findLast(({ settings }) => modeOf(settings) !== undefined);
  if (setBy?.source !== 'project') return effective;
  const { defaultMode: _dropped, ...rest } = permissions;
  return { ...effective, permissions: rest };
}

function modeOf({ permissions }: Settings): unknown {
  return isObject(permissions) ? permissions.defaultMode : undefined;
}
