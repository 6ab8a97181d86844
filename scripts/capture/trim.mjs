// Trims a captured frame to its structure: no prose, nothing about the machine, no times, no long lists.

const KEPT_LIST_ITEMS = 2;
const LONGEST_WORD = 48;

/** Keys whose text is written for people, however short it is. */
const PROSE = new Set([
  'argumentHint',
  'commandText',
  'content',
  'contentLabel',
  'default_filename',
  'delta',
  'description',
  'displayName',
  'displayText',
  'display_name',
  'label',
  'message',
  'output',
  'partial_json',
  'result',
  'signature',
  'sourceLabel',
  'stderr',
  'stdout',
  'suggestion',
  'summary',
  'text',
  'thinking',
  'title',
  'value',
  'warning',
]);

/** Keys that hold copies of transcripts and tool descriptions, whose structure is not of the wire. */
const OPAQUE = new Set(['entries', 'input_schema']);

/** Keys whose number is part of the protocol and constant. */
const TELLING_NUMBERS = new Set(['api_error_status', 'error_status', 'exit_code', 'id', 'index']);

/** Keys whose value is an id that a CLI created. */
const CHANCE_IDS = new Set(['agentId', 'agent_id', 'id', 'parent_task_id', 'runId', 'run_id', 'task_id']);

/** Returns the frame with every value replaced that does not matter for its structure. */
export function trimFrame(frame) {
  return trim(frame, '', { uuids: new Map() });
}

function trim(value, key, seen) {
  if (typeof value === 'string') return trimText(value, key, seen);
  if (typeof value === 'number') return TELLING_NUMBERS.has(key) ? value : 1;
  if (OPAQUE.has(key)) return Array.isArray(value) ? [{}] : {};
  if (Array.isArray(value)) return trimList(value, key, seen);
  return value !== null && typeof value === 'object' ? trimObject(value, seen) : value;
}

function trimObject(value, seen) {
  const entries = Object.entries(value).map(([key, inner]) => [trimKey(key), trim(inner, key, seen)]);
  return Object.fromEntries(entries);
}

// One item per kind, so that a varied list keeps its variety and a long one becomes short.
function trimList(list, key, seen) {
  const kinds = new Map();
  for (const item of list) {
    const trimmed = trim(item, key, seen);
    const kind = shapeOf(trimmed);
    if (!kinds.has(kind)) kinds.set(kind, trimmed);
  }
  return [...kinds.values()].slice(0, KEPT_LIST_ITEMS);
}

function shapeOf(value) {
  if (value === null || typeof value !== 'object') return typeof value;
  return Array.isArray(value) ? 'list' : Object.keys(value).sort().join();
}

function trimKey(key) {
  if (isModel(key)) return 'model-1';
  return /[\s/]/.test(key) && !key.startsWith('claudecode/') ? '<text>' : key;
}

function trimText(value, key, seen) {
  if (value === '') return value;
  if (UUID.test(value)) return value.replace(UUID_ANYWHERE, (uuid) => sameUuid(uuid, seen));
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return '2026-01-01T00:00:00.000Z';
  if (/^(https?|ui):\/\//.test(value)) return `${value.split(':')[0]}://example.invalid/`;
  if (value.startsWith('/') && !value.startsWith('//')) return '/path';
  if (/^(msg|toolu|req)_/.test(value)) return `${value.split('_')[0]}_1`;
  if (/^host-\d+$/.test(value)) return 'host-1';
  if (isModel(value)) return 'model-1';
  return PROSE.has(key) ? '<text>' : trimWord(value, key);
}

function trimWord(value, key) {
  if (CHANCE_IDS.has(key)) return 'id-1';
  if (key === 'version' || key === 'claude_code_version') return value;
  return /^[\w.:@+-]+$/.test(value) && value.length <= LONGEST_WORD ? value : '<text>';
}

const UUID = /^(hook-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(-\d+)?$/;
const UUID_ANYWHERE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function sameUuid(uuid, { uuids }) {
  if (!uuids.has(uuid))
    uuids.set(uuid, `00000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, '0')}`);
  return uuids.get(uuid);
}

function isModel(word) {
  return /^claude-(opus|sonnet|haiku|fable|mythos|\d)/.test(word);
}
