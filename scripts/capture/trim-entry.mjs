// Trims a recording entry to its wire parts: no prose of the vendor, nothing about the machine, no long lists.

const KEPT_ITEMS = 2;
const LONGEST_TEXT = 300;
/** Keys whose text is always the vendor's. */
const PROSE = new Set([
  'description',
  'argumentHint',
  'displayName',
  'decision_reason',
  'title',
  'display_name',
  'label',
  'whenToUse',
]);

/** Returns a line of the file without anything that does not matter for a replay. */
export function trimEntry(line) {
  const entry = JSON.parse(line);
  if (entry.kind === 'header')
    return JSON.stringify({ ...entry, argv: entry.argv.map(trimWord), platform: 'linux' });
  if (entry.kind !== 'line' || entry.from === 'host' || entry.frame === undefined) return line;
  // The scripted model's text and the tools' results are ours; everything else may be the vendor's.
  const ours = ['assistant', 'user', 'result', 'stream_event', 'control_request'].includes(entry.frame.type);
  const frame = trim(entry.frame, '', !ours);
  // Text that a CLI repeats to the host as a user message is its own prose.
  if (frame.isReplay === true) frame.message.content = '<text>';
  return JSON.stringify({ ...entry, frame });
}

function trim(value, key, isList) {
  if (typeof value === 'string') return trimText(value, key);
  if (Array.isArray(value))
    return (isList ? value.slice(0, KEPT_ITEMS) : value).map((item) => trim(item, key, isList));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trim(inner, name, isList)]));
}

function trimText(value, key) {
  if (PROSE.has(key) && value !== '') return '<text>';
  return value.length > LONGEST_TEXT ? '<text>' : value;
}

/** Only the program's name is kept. */
function trimWord(word) {
  return /^\/.*\/(?:node|claude|cli\.js)$/.test(word) ? word.split('/').at(-1) : word;
}
