// Trims the transcripts of a real CLI to their structure: no text of the vendor, ids and times numbered in order.

/** Texts of the scripted conversation, and markers that readers look for. */
const OURS = new Set([
  ...['touch it', 'delegate', 'count the files', 'stop me', 'hello', 'after it', 'go on in the fork'],
  ...['Let me see.', 'All done.', 'noted', 'first', 'a summary of it all', 'forked answer'],
  ...['[Request interrupted by user]', 'Warmup', ''],
]);

/** Keys whose values are kept: they contain structure and no prose. */
const KEPT = new Set([
  ...['type', 'subtype', 'uuid', 'parentUuid', 'logicalParentUuid', 'sessionId', 'agentId', 'leafUuid'],
  ...['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'userType', 'entrypoint'],
  ...['version', 'gitBranch', 'timestamp', 'permissionMode', 'sourceToolAssistantUUID', 'operation', 'level'],
  ...['toolUseID', 'parentToolUseID', 'promptSource', 'forkedFrom', 'compactMetadata'],
]);

/** Creates functions that trim the files of a CLI; ids keep their new names across files. */
export function transcriptTrimmer(version) {
  const prefix = version.replaceAll('.', '').padStart(8, '0');
  const names = new Map();
  let time = Date.UTC(2026, 0, 1);
  const rename = (text) =>
    text
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) =>
        named(id, (n) => `${prefix}-0000-4000-8000-${pad(n)}`),
      )
      .replaceAll(/\ba[0-9a-f]{6,16}\b/g, (id) => named(id, (n) => `a${n}`))
      .replaceAll(/\b(?:msg|toolu)_[0-9a-f]{8,}\b/g, (id) => named(id, (n) => `${id.split('_')[0]}_${n}`));
  const named = (id, make) => {
    if (!names.has(id)) names.set(id, make(names.size + 1));
    return names.get(id);
  };
  const retime = (text) =>
    text.replaceAll(/"timestamp":"[^"]+"/g, () => {
      time += 1000;
      return `"timestamp":"${new Date(time).toISOString()}"`;
    });
  const trimLines = (text) => {
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // They repeat what was sent to the model, system prompt and tools included.
    const told = entries.filter(({ type }) => !type.startsWith('api-request'));
    return retime(rename(told.map((entry) => `${JSON.stringify(trimmed(entry))}\n`).join('')));
  };
  return {
    trimLines,
    trimMeta: (text) => rename(`${JSON.stringify(trimmedMeta(JSON.parse(text)))}\n`),
    rename,
  };
}

function pad(number) {
  return String(number).padStart(12, '0');
}

function trimmed(entry) {
  return Object.fromEntries(Object.entries(entry).flatMap(([key, value]) => trimmedKey(key, value)));
}

function trimmedKey(key, value) {
  if (KEPT.has(key)) return [[key, value]];
  if (key === 'cwd') return [[key, '/work/project']];
  if (key === 'message') return [[key, trimmedMessage(value)]];
  if (key === 'attachment') return [[key, { type: value.type }]];
  if (key === 'origin') return [[key, { kind: value.kind }]];
  if ((key === 'content' || key === 'lastPrompt') && typeof value === 'string')
    return [[key, trimmedText(value)]];
  if (key === 'toolUseResult' && value.agentId !== undefined) return [[key, { agentId: value.agentId }]];
  return [];
}

function trimmedMessage({ id, type, role, content }) {
  return { id, type, role, content: trimmedContent(content) };
}

function trimmedContent(content) {
  if (typeof content === 'string') return trimmedText(content);
  return content?.map(({ type, text, id, name, tool_use_id, content: inner }) => {
    if (type === 'text') return { type, text: trimmedText(text) };
    if (type === 'tool_use') return { type, id, name, input: {} };
    return { type, tool_use_id, content: trimmedContent(inner) };
  });
}

/** Of other texts only the tag is kept, because readers use it to recognise what is not a prompt. */
function trimmedText(text) {
  if (OURS.has(text)) return text;
  const [, tag] = /^<([a-z-]+)>/.exec(text) ?? [];
  if (tag === 'command-name') return '<command-name>/compact</command-name>';
  return tag === undefined ? 'x' : `<${tag}>x</${tag}>`;
}

function trimmedMeta({ agentType, toolUseId, spawnDepth }) {
  return { agentType, toolUseId, spawnDepth };
}
