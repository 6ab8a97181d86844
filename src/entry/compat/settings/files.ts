import { readFile } from 'node:fs/promises';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Settings } from '../types/settings/settings.js';

/** A settings file; one that is missing or broken counts as absent, as it does for the CLI. */
export async function readSettings(path: string): Promise<Settings | undefined> {
  try {
    const parsed: unknown = JSON.parse(withoutMark(await readFile(path, 'utf8')));
    return isObject(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** Some editors start a file with a byte order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** The stronger side wins; objects are merged, lists are concatenated. */
export function merge(weak: WireObject, strong: WireObject): Settings {
  const merged: Record<string, unknown> = { ...weak };
  for (const [key, value] of Object.entries(strong)) merged[key] = mergeValue(merged[key], value);
  return merged;
}

function mergeValue(weak: unknown, strong: unknown): unknown {
  if (Array.isArray(weak) && Array.isArray(strong)) return [...new Set([...weak, ...strong])];
  return isObject(weak) && isObject(strong) ? merge(weak, strong) : strong;
}
