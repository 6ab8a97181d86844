import { isObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../../console/log/entry.js';

/** Where server configurations contain keys and tokens. */
const SECRET_KEYS: ReadonlySet<string> = new Set(['env', 'headers']);
const WORTH_A_LOOK = /"(?:env|headers)":\s*\{/;
const MASK = '[masked]';

/** Control traffic without the keys and tokens of MCP servers: workers have them, and everyone can read the log. */
export function maskSecrets(entry: LogEntry): LogEntry {
  if (!entry.rest.includes('"type":"control_re') || !WORTH_A_LOOK.test(entry.rest)) return entry;
  return { ...entry, rest: JSON.stringify(masked(eventOf(entry))).slice(1) };
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).map(([key, each]) => [
    key,
    SECRET_KEYS.has(key) && isObject(each) ? maskedValues(each) : masked(each),
  ]);
  return Object.fromEntries(pairs);
}

function maskedValues(value: object): object {
  return Object.fromEntries(Object.keys(value).map((key) => [key, MASK]));
}
