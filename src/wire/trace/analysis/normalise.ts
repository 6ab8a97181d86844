import { homedir, tmpdir } from 'node:os';
import { pathSpellings } from '../../files/path-spellings.js';
import { isObject } from '../../protocol/frames.js';

/** What counts as the same in two runs. */
export interface NormaliseOptions {
  /** Folders and the word that replaces each, such as `{ '/srv/app': '<cwd>' }`. */
  readonly paths?: Readonly<Record<string, string>> | undefined;
  /** Whether to ignore durations, costs, token counts and process ids. */
  readonly measures?: boolean | undefined;
}

const ID_KEYS = new Set([
  'request_id',
  'hookCallbackIds',
  'callback_id',
  'session_id',
  'uuid',
  'tool_use_id',
  'toolUseID',
]);
const MEASURE = /(?:^pid|_ms|Ms|_usd|USD|[Tt]okens?|_requests|Requests|timestamp|_at)$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const SOCKET = /\d+(?=\.sock\b)/g;
const CHANCE_ID = /\b(toolu|msg|req|call)_[A-Za-z0-9_]+/g;

/** Replaces what differs from run to run without a meaning: ids, uuids, times, folders, measurements. */
export function normalise(value: unknown, options: NormaliseOptions = {}): unknown {
  return walk(value, '', options);
}

function walk(value: unknown, key: string, options: NormaliseOptions): unknown {
  if (typeof value === 'string')
    return ID_KEYS.has(key) && value !== '' ? '<id>' : normaliseText(value, options);
  if (typeof value === 'number') return options.measures === true && MEASURE.test(key) ? '<number>' : value;
  if (Array.isArray(value)) return value.map((item) => walk(item, key, options));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [normaliseText(name, options), walk(inner, name, options)]),
  );
}

function normaliseText(text: string, { paths = {} }: NormaliseOptions): string {
  const placed = Object.entries(paths).reduce(
    (inner, [path, word]) => (path === '' ? inner : inner.replaceAll(path, word)),
    text,
  );
  return placed
    .replace(UUID, '<uuid>')
    .replace(TIME, '<time>')
    .replace(SOCKET, '<pid>')
    .replace(CHANCE_ID, '<$1 id>');
}

/** The folders that differ between a recording and a run, longest first. */
export function pathsFor(cwd: string | undefined): NonNullable<NormaliseOptions['paths']> {
  const spelled = (path: string, word: string) => pathSpellings(path).map((each) => [each, word] as const);
  return Object.fromEntries([
    ...(cwd === undefined ? [] : spelled(cwd, '<cwd>')),
    ...spelled(homedir(), '<home>'),
    ...spelled(tmpdir(), '<tmp>'),
  ]);
}
