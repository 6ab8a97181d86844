import { changesOf, type Facts, factAt } from '../../host/cli/ledger/facts.js';

/** A feature that users look for in a CLI, with the fact that decides it. */
export interface Capability {
  /** Its name on the command line. */
  readonly name: string;
  /** Its description. */
  readonly words: string;
  /** The fact that decides it. */
  readonly fact: string;
}

/** Features that users look for. */
export const capabilities: readonly Capability[] = [
  capability('permission-prompts', 'Permission prompts go to the host', 'permission:deny'),
  capability('prompt-call-id', 'A permission prompt has the id of its tool call', 'permission:prompt'),
  capability(
    'allow-without-input',
    'A call can be allowed without repeating its input',
    'permission:without-input',
  ),
  capability('questions', 'The model can ask the user questions', 'question:answered'),
  capability('hooks', 'Hooks are callbacks in the host', 'hook:callback'),
  capability('hook-input', 'A hook can change the input of a tool call', 'hook:allow-changed-input'),
  capability('system-prompt', 'The handshake sets the system prompt', 'handshake:system-prompt'),
  capability(
    'append-system-prompt',
    'The handshake appends to the system prompt',
    'handshake:append-system-prompt',
  ),
  capability('agents', 'The handshake can define agents', 'handshake:agents'),
  capability('title', 'The handshake sets the title', 'handshake:title'),
  capability('skills', 'The handshake selects skills', 'handshake:skills'),
  capability('structured-output', 'Structured output by a JSON schema', 'handshake:json-schema'),
  capability('in-process-tools', 'Tools of in-process MCP servers', 'mcp:tool-result'),
  capability('set-servers', 'MCP servers can be set in a running session', 'mcp-set:process'),
  capability(
    'set-in-process-servers',
    'In-process MCP servers can be set in a running session',
    'mcp-set:in-process',
  ),
  capability('reconnect', 'MCP servers can be reconnected', 'request:mcp_reconnect'),
  capability('switch-servers', 'MCP servers can be enabled and disabled', 'mcp-toggle:stops-calls'),
  capability('server-tools', 'The status of MCP servers lists their tools', 'mcp-status:tools'),
  capability('elicitation', 'MCP servers can ask the user with a form (elicitation)', 'elicitation:form'),
  capability('call-tools', 'A tool of an MCP server can be called without the model', 'mcp-call:process'),
  capability('interrupt', 'A turn can be interrupted', 'interrupt:ends-turn'),
  capability('interrupt-receipt', 'An interrupt lists the messages that still wait', 'interrupt:receipt'),
  capability('cancel-message', 'A queued message can be cancelled', 'cancel:queued-message'),
  capability('result-each', 'Messages sent together get a result each', 'turn:one-result-each'),
  capability(
    'lifecycle',
    'The CLI reports when a message is queued, started and completed',
    'turn:lifecycle',
  ),
  capability('unknown-requests', 'An unknown request is answered with an error', 'envelope:unknown-subtype'),
  capability('second-handshake', 'A session can be initialized again', 'handshake:again'),
  capability('set-model', 'The model can be changed', 'model:used'),
  capability('default-mode', 'Starts in the permission mode `default` by default', 'mode:at-start'),
  capability('auto-mode', 'Permission mode `auto`', 'flag:--permission-mode=auto'),
  capability('dont-ask-mode', 'Permission mode `dontAsk`', 'mode:dont-ask'),
  capability('bypass-mode', 'Permission mode `bypassPermissions`', 'mode:bypass'),
  capability('resume', 'Conversations can be resumed', 'resume:history'),
  capability('fork', 'Conversations can be forked', 'resume:fork'),
  capability('rewind', 'Files can be rewound', 'rewind:restores'),
  capability('rewind-dry-run', 'A rewind has a dry run', 'rewind:dry-run'),
  capability('background', 'Work can be sent to the background', 'request:background_tasks'),
  capability('stop-task', 'Background work can be stopped', 'request:stop_task'),
  capability('context-usage', 'The use of the context window can be queried', 'request:get_context_usage'),
  capability('read-file', 'Files can be read over the wire', 'request:read_file'),
  capability('side-question', 'Side questions', 'request:side_question'),
  capability('rename', 'Sessions can be renamed', 'request:rename_session'),
  capability('end-session', 'A session can be ended by a request', 'end:end-session'),
  capability('partial-messages', 'Messages are streamed while they are written', 'partial:kinds'),
  capability('budget', 'A budget in dollars', 'turn:max-budget'),
];

/** A range of versions that all have a feature; without `until` it includes the newest one. */
export interface VersionRange {
  /** The first version. */
  readonly since: string;
  /** The first version that no longer has it. */
  readonly until?: string;
}

/** The versions for which a fact holds. */
export function rangesOf(facts: Facts, id: string): readonly VersionRange[] {
  const ranges: VersionRange[] = [];
  for (const { from, value } of changesOf(facts, id)) {
    const last = ranges.at(-1);
    const isOpen = last !== undefined && last.until === undefined;
    if (isOpen && !HOLDS.has(value)) ranges[ranges.length - 1] = { ...last, until: from };
    if (!isOpen && HOLDS.has(value)) ranges.push({ since: from });
  }
  return ranges;
}

/** Ranges in words: `since 2.1.40`, `2.0.0 until 2.1.76`, `no version`. */
export function rangesText(ranges: readonly VersionRange[]): string {
  if (ranges.length === 0) return 'no version';
  const words = ranges.map(({ since, until }) =>
    until === undefined ? `since ${since}` : `${since} until ${until}`,
  );
  return words.join(', ');
}

/** Whether a version has a feature; undefined if unknown. */
export function holdsAt(facts: Facts, id: string, version: string): boolean | undefined {
  const value = factAt(facts, id, version);
  return value === undefined ? undefined : HOLDS.has(value);
}

/** Finds capabilities by name, by the id of a fact, or by words. */
export function findCapabilities({ facts }: Facts, text: string): readonly Capability[] {
  const exact = capabilities.filter(({ name, fact }) => name === text || fact === text);
  if (exact.length > 0) return exact;
  if (Object.hasOwn(facts, text)) return [capability(text, text, text)];
  const wanted = text.toLowerCase();
  const inWords = capabilities.filter(({ name, words }) => `${name} ${words}`.toLowerCase().includes(wanted));
  if (inWords.length > 0) return inWords;
  const ids = Object.keys(facts).filter((id) => id.toLowerCase().includes(wanted));
  return ids.map((id) => capability(id, id, id));
}

/** The values that mean yes; a refused request is known. A feature that is only named may or may not exist. */
const HOLDS: ReadonlySet<string> = new Set(['pass', 'served', 'refused', 'seen', 'listed', 'hidden']);

function capability(name: string, words: string, fact: string): Capability {
  return { name, words, fact };
}
