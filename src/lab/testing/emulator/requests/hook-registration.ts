import { isObject } from '../../../../wire/protocol/frames.js';
import type { HookMatcher } from '../session-state.js';

/** How long a hook may take unless it says otherwise. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Reads `hooks` of `initialize`; undefined when an entry is broken. */
export function readHooks(hooks: unknown): Map<string, readonly HookMatcher[]> | undefined {
  if (hooks === undefined || hooks === null) return new Map();
  if (!isObject(hooks)) return undefined;
  const read = new Map<string, readonly HookMatcher[]>();
  for (const [event, entries] of Object.entries(hooks)) {
    const matchers = Array.isArray(entries) ? entries.map(readMatcher) : [undefined];
    if (!matchers.every((matcher) => matcher !== undefined)) return undefined;
    read.set(event, matchers);
  }
  return read;
}

function readMatcher(entry: unknown): HookMatcher | undefined {
  if (!isObject(entry) || !isStringList(entry.hookCallbackIds)) return undefined;
  return {
    matcher: typeof entry.matcher === 'string' ? entry.matcher : undefined,
    callbackIds: entry.hookCallbackIds,
    timeoutMs: typeof entry.timeout === 'number' ? entry.timeout * 1_000 : DEFAULT_TIMEOUT_MS,
    blocksOnFailure: entry.onFailure === 'block',
  };
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
