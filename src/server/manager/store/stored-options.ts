import type { SessionOptions } from '../../../host/session/session-options.js';

/**
 * The launch options that are stored on disk. Only plain data without secrets: the program provides keys,
 * environment, servers, hooks and callbacks again.
 */
export const STORED = [
  'cwd',
  'model',
  'fallbackModel',
  'permissionMode',
  'systemPrompt',
  'appendSystemPrompt',
  'tools',
  'allowedTools',
  'disallowedTools',
  'additionalDirectories',
  'maxTurns',
  'settingSources',
  'effort',
] as const;

/** A part of the launch options, as plain data. */
export type StoredOptions = Readonly<Partial<Record<(typeof STORED)[number], unknown>>>;

/** The stored part of launch options. */
export function storedOptions(options: SessionOptions): StoredOptions {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    STORED.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
}
