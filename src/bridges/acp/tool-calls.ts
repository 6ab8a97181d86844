import { isAbsolute, relative, resolve } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { filledStringIn, objectsIn, type WireObject } from '../../wire/protocol/frames.js';

/** A tool call as a client shows it. */
export interface ShownCall {
  readonly kind: ToolKind;
  readonly title: string;
  readonly content: ToolCallContent[];
  readonly locations: ToolCallLocation[];
}

/** How the calls of one tool are shown. */
interface ToolView {
  readonly kind: ToolKind;
  /** The title, without the path. */
  readonly title: (input: WireObject) => string;
  /** Whether the title includes the path. */
  readonly withPath?: boolean;
  readonly content?: (input: WireObject, path: string) => ToolCallContent[];
}

const READS: ToolView = { kind: 'read', title: () => 'Read', withPath: true };
const AGENT: ToolView = {
  kind: 'think',
  title: ({ description }) => filledStringIn(description) ?? 'Subagent',
  content: ({ prompt }) => texts(prompt),
};

const TOOLS: Readonly<Record<string, ToolView>> = {
  Bash: {
    kind: 'execute',
    title: ({ command }) => filledStringIn(command) ?? 'Bash',
    content: ({ description }) => texts(description),
  },
  BashOutput: { kind: 'execute', title: () => 'Output of a background command' },
  TaskOutput: { kind: 'execute', title: () => 'Output of a task' },
  KillShell: { kind: 'execute', title: () => 'Stop a background command' },
  TaskStop: { kind: 'execute', title: () => 'End a task' },
  Read: READS,
  NotebookRead: READS,
  Write: {
    kind: 'edit',
    title: () => 'Write',
    withPath: true,
    content: ({ content }, path) => [diff(path, undefined, content)],
  },
  Edit: {
    kind: 'edit',
    title: () => 'Edit',
    withPath: true,
    content: (input, path) => [diff(path, input.old_string, input.new_string)],
  },
  MultiEdit: {
    kind: 'edit',
    title: () => 'Edit',
    withPath: true,
    content: ({ edits }, path) =>
      objectsIn(edits).map((edit) => diff(path, edit.old_string, edit.new_string)),
  },
  NotebookEdit: {
    kind: 'edit',
    title: () => 'Edit',
    withPath: true,
    content: ({ new_source: source }, path) => [diff(path, undefined, source)],
  },
  Glob: {
    kind: 'search',
    title: ({ pattern }) => `Find ${filledStringIn(pattern) ?? 'files'}`,
    withPath: true,
  },
  Grep: {
    kind: 'search',
    title: ({ pattern }) => `Search for ${filledStringIn(pattern) ?? 'a text'}`,
    withPath: true,
  },
  LS: { kind: 'search', title: () => 'List', withPath: true },
  LSP: { kind: 'search', title: ({ operation }) => filledStringIn(operation) ?? 'LSP', withPath: true },
  WebFetch: {
    kind: 'fetch',
    title: ({ url }) => `Fetch ${filledStringIn(url) ?? 'a page'}`,
    content: ({ prompt }) => texts(prompt),
  },
  WebSearch: {
    kind: 'fetch',
    title: ({ query }) => `Search the web for ${filledStringIn(query) ?? 'something'}`,
  },
  Task: AGENT,
  Agent: AGENT,
  EnterPlanMode: { kind: 'switch_mode', title: () => 'Make a plan first' },
  ExitPlanMode: {
    kind: 'switch_mode',
    title: () => 'Start the plan',
    content: ({ plan }) => texts(plan),
  },
  AskUserQuestion: {
    kind: 'other',
    title: ({ questions }) => filledStringIn(objectsIn(questions)[0]?.question) ?? 'A question',
  },
  Skill: {
    kind: 'other',
    title: ({ skill, command }) => `Skill ${filledStringIn(skill ?? command) ?? ''}`.trim(),
  },
};

/** How a client shows a call. An unknown tool, such as one of an MCP server, is shown by its name. */
export function shownCall(name: string, input: WireObject, cwd: string): ShownCall {
  const view: ToolView = TOOLS[name] ?? { kind: 'other', title: () => toolTitle(name) };
  const given = filledStringIn(input.file_path ?? input.notebook_path ?? input.path);
  const path = given === undefined ? undefined : resolve(cwd, given);
  const title = view.title(input);
  return {
    kind: view.kind,
    title: view.withPath === true && path !== undefined ? `${title} ${shortPath(path, cwd)}` : title,
    content: view.content?.(input, path ?? cwd) ?? [],
    locations: path === undefined ? [] : [{ path, ...lineOf(input) }],
  };
}

/** A readable form of `mcp__server__tool`. */
function toolTitle(name: string): string {
  const [prefix, server, ...tool] = name.split('__');
  return prefix === 'mcp' && tool.length > 0 ? `${tool.join('__')} (${server})` : name;
}

function lineOf({ offset }: WireObject): { line?: number } {
  return typeof offset === 'number' && Number.isInteger(offset) && offset >= 0 ? { line: offset } : {};
}

function shortPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

function diff(path: string, oldText: unknown, newText: unknown): ToolCallContent {
  return { type: 'diff', path, oldText: filledStringIn(oldText) ?? null, newText: String(newText ?? '') };
}

function texts(text: unknown): ToolCallContent[] {
  const given = filledStringIn(text);
  return given === undefined ? [] : [{ type: 'content', content: { type: 'text', text: given } }];
}
