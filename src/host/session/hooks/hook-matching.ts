import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** The part of an event's input that matchers are compared with; matchers of other events always match. */
const SUBJECTS: Readonly<Partial<Record<HookEventName, string>>> = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PermissionRequest: 'tool_name',
  PermissionDenied: 'tool_name',
  SessionStart: 'source',
  SessionEnd: 'reason',
  Setup: 'trigger',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  Notification: 'notification_type',
  StopFailure: 'error',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  UserPromptExpansion: 'command_name',
  Elicitation: 'mcp_server_name',
  ElicitationResult: 'mcp_server_name',
  ConfigChange: 'source',
  InstructionsLoaded: 'load_reason',
  FileChanged: 'file_path',
};

/** Names that CLIs treat as equal: the same tool before and after a rename. */
const SAME_TOOL: Readonly<Record<string, string>> = { Task: 'Agent', Agent: 'Task' };

/** A list of names is compared as it is; everything else is a pattern. */
const NAMES = /^[A-Za-z0-9_|]+$/;

type Matcher = string | undefined;

/** One matcher for the CLI that matches whenever one of these does; undefined always matches. */
export function joinMatchers(event: HookEventName, matchers: readonly Matcher[]): Matcher {
  const [first, ...others] = new Set(matchers);
  if (others.length === 0) return first;
  if (matchers.some(fitsAll)) return undefined;
  const texts = [...new Set(matchers)] as string[];
  // For FileChanged, the CLI reads the names of the files to watch.
  if (event === 'FileChanged' || texts.every((text) => NAMES.test(text))) return texts.join('|');
  return texts.map((text) => (NAMES.test(text) ? `^(?:${text})$` : text)).join('|');
}

/**
 * Finds hooks whose matcher matches the input. The CLI asked because at least one does; if none seems to match, the CLI
 * knows more, so all are kept.
 */
export function matching<Hook extends { readonly matcher?: Matcher }>(
  event: HookEventName,
  hooks: readonly Hook[],
  input: WireObject,
): readonly Hook[] {
  const subject = subjectOf(event, input);
  if (subject === undefined || new Set(hooks.map(({ matcher }) => matcher)).size === 1) return hooks;
  const found = hooks.filter(({ matcher }) => fits(matcher, subject));
  return found.length === 0 ? hooks : found;
}

function subjectOf(event: HookEventName, input: WireObject): string | undefined {
  const key = SUBJECTS[event];
  const value = key === undefined ? undefined : input[key];
  if (typeof value !== 'string') return undefined;
  return event === 'FileChanged'
    ? value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1)
    : value;
}

function fitsAll(matcher: Matcher): boolean {
  return matcher === undefined || matcher === '' || matcher === '*';
}

/** Whether a matcher matches the subject of an event. */
export function fits(matcher: Matcher, subject: string): boolean {
  if (matcher === undefined || fitsAll(matcher)) return true;
  const names = [subject, ...(SAME_TOOL[subject] === undefined ? [] : [SAME_TOOL[subject]])];
  if (NAMES.test(matcher)) return matcher.split('|').some((name) => names.includes(name));
  const pattern = new RegExp(matcher);
  return names.some((name) => pattern.test(name));
}
