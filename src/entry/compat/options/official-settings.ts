import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Options } from '../types/option-types.js';

/**
 * The settings for the CLI, including the sandbox. Those in `extraArgs` apply only if there are no others.
 * @throws Error when a sandbox would have to go into a file.
 */
export function settingsText({ settings, sandbox, extraArgs }: Options): string | undefined {
  const given = settings || extraArgs?.settings || undefined;
  if (sandbox !== undefined) return JSON.stringify(withSandbox(settingsObject(given), sandbox));
  return given === undefined || typeof given === 'string' ? given : JSON.stringify(given);
}

function settingsObject(settings: Options['settings']): WireObject {
  if (typeof settings !== 'string') return settings ?? {};
  const parsed = parse(settings);
  if (isObject(parsed)) return parsed;
  throw new Error('The option sandbox cannot be merged into a settings file: put it in that file.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withSandbox(settings: WireObject, sandbox: WireObject): WireObject {
  const merged = over(settings.sandbox, sandbox);
  // A requested sandbox that is not available must not be left out silently.
  const unsaid = sandbox.enabled === true && merged.failIfUnavailable === undefined;
  return { ...settings, sandbox: { ...merged, ...(unsaid ? { failIfUnavailable: true } : {}) } };
}

/** The option overrides the settings, key by key; lists, and the search program, are replaced as a whole. */
function over(settings: unknown, option: WireObject): WireObject {
  if (!isObject(settings)) return option;
  const merged = Object.entries(option).map(([key, value]) => [
    key,
    isObject(value) && key !== 'ripgrep' ? over(settings[key], value) : value,
  ]);
  return { ...settings, ...Object.fromEntries(merged) };
}
