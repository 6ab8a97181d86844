import type { McpServerConfig } from '../../../wire/protocol/mcp-server-config.js';
import {
  either,
  kinds,
  listOf,
  type OptionKind,
  oneOf,
  recordOf,
  shapeOf,
} from '../../../wire/util/option-checks.js';
import { cliOptionSpecs } from './cli-option-table.js';
import { type Effort, type PermissionMode, permissionModes, type SettingSource } from './cli-options.js';
import type { InitializeOptionSpec } from './passing.js';

/** A subagent of this session. Keys are as on the wire. */
export interface AgentDefinition {
  /** Tells the model when to use it. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /** Its tools. Default: all. */
  readonly tools?: readonly string[] | undefined;
  /** The tools it may not use. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Its model. Default: the conversation's. */
  readonly model?: string | undefined;
  /** Its MCP servers: names of the session's servers, or configurations by name. */
  readonly mcpServers?: readonly (string | Readonly<Record<string, McpServerConfig>>)[] | undefined;
  /** Skills that are loaded from the start. */
  readonly skills?: readonly string[] | undefined;
  /** The first prompt when the main conversation runs as this agent. */
  readonly initialPrompt?: string | undefined;
  /** The maximum number of model calls. */
  readonly maxTurns?: number | undefined;
  /** The number of tokens at which its conversation is compacted. */
  readonly autoCompactWindow?: number | undefined;
  /** Whether it always runs in the background. */
  readonly background?: boolean | undefined;
  /** Leaves CLAUDE.md out of its prompt. */
  readonly omitClaudeMd?: boolean | undefined;
  /** Which memory files it uses. */
  readonly memory?: SettingSource | undefined;
  /** How much work the model puts into its answers. */
  readonly effort?: Effort | number | undefined;
  /** Its permission mode. */
  readonly permissionMode?: PermissionMode | undefined;
  /** A reminder added to its prompt; an experiment of the CLI. */
  readonly criticalSystemReminder_EXPERIMENTAL?: string | undefined;
}

/** Options sent in the `initialize` request. */
export interface InitializeOptions {
  /** Replaces the CLI's own system prompt. Default: the CLI's prompt. An empty string removes it. */
  readonly systemPrompt?: string | readonly string[] | undefined;
  /** Text to append to the system prompt. */
  readonly appendSystemPrompt?: string | undefined;
  /** Subagents of this session, by name. */
  readonly agents?: Readonly<Record<string, AgentDefinition>> | undefined;
  /** The conversation's title. */
  readonly title?: string | undefined;
  /** Skills that may be used without asking. */
  readonly skills?: readonly string[] | undefined;
  /** Instructions for the model in plan mode. */
  readonly planModeInstructions?: string | undefined;
  /** Aliases for tools. */
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  /** Leaves the dynamic parts out of the system prompt. */
  readonly excludeDynamicSections?: boolean | undefined;
  /** Asks for a suggested next prompt after each turn. */
  readonly promptSuggestions?: boolean | undefined;
  /** Asks for progress summaries of subagents. */
  readonly agentProgressSummaries?: boolean | undefined;
  /** Forwards the text that subagents write. */
  readonly forwardSubagentText?: boolean | undefined;
  /** The kinds of dialogs that this host can show. */
  readonly supportedDialogKinds?: readonly string[] | undefined;
  /** Declares that this host lets users stop single tasks. */
  readonly perTaskStopAffordance?: boolean | undefined;
}

const agentKind = shapeOf(
  {
    description: kinds.anyText,
    prompt: kinds.anyText,
    tools: listOf(kinds.text),
    disallowedTools: listOf(kinds.text),
    model: kinds.text,
    mcpServers: listOf(either(kinds.text, kinds.record)),
    skills: listOf(kinds.text),
    initialPrompt: kinds.anyText,
    maxTurns: kinds.positiveCount,
    autoCompactWindow: kinds.positiveCount,
    background: kinds.flag,
    omitClaudeMd: kinds.flag,
    memory: oneOf('user', 'project', 'local'),
    effort: either(kinds.text, kinds.positiveNumber),
    permissionMode: oneOf(...permissionModes),
    criticalSystemReminder_EXPERIMENTAL: kinds.anyText,
  } satisfies Record<keyof AgentDefinition, OptionKind>,
  { required: ['description', 'prompt'], expected: 'an object with description and prompt' },
);

/** The options that are sent in `initialize`. */
export const initializeOptionSpecs = {
  systemPrompt: {
    kind: either(kinds.anyText, listOf(kinds.anyText)),
    field: { since: 'takesSystemPrompt', flag: '--system-prompt' },
    sentence: "Replaces the CLI's own system prompt. Default: the CLI's prompt. An empty string removes it.",
    stored: true,
  },
  appendSystemPrompt: {
    kind: kinds.text,
    field: { since: 'takesAppendSystemPrompt', flag: '--append-system-prompt' },
    sentence: 'Text to append to the system prompt.',
    stored: true,
  },
  agents: {
    kind: recordOf(agentKind),
    field: { since: 'takesAgents', flag: '--agents' },
    sentence: 'Subagents of this session, by name.',
  },
  title: { kind: kinds.text, field: { since: 'takesTitle' }, sentence: "The conversation's title." },
  skills: { ...cliOptionSpecs.skills, field: { since: 'takesSkills' } },
  planModeInstructions: {
    kind: kinds.text,
    field: { since: 'named' },
    sentence: 'Instructions for the model in plan mode.',
  },
  toolAliases: { kind: recordOf(kinds.text), field: { since: 'named' }, sentence: 'Aliases for tools.' },
  excludeDynamicSections: {
    kind: kinds.flag,
    field: { since: 'named' },
    sentence: 'Leaves the dynamic parts out of the system prompt.',
  },
  promptSuggestions: {
    kind: kinds.flag,
    field: { since: 'named' },
    sentence: 'Asks for a suggested next prompt after each turn.',
  },
  agentProgressSummaries: {
    kind: kinds.flag,
    field: { since: 'named' },
    sentence: 'Asks for progress summaries of subagents.',
  },
  forwardSubagentText: {
    kind: kinds.flag,
    field: { since: 'named' },
    sentence: 'Forwards the text that subagents write.',
  },
  supportedDialogKinds: {
    kind: listOf(kinds.text),
    field: {},
    sentence: 'The kinds of dialogs that this host can show.',
  },
  perTaskStopAffordance: {
    kind: kinds.flag,
    field: {},
    sentence: 'Declares that this host lets users stop single tasks.',
  },
} as const satisfies Readonly<Record<keyof InitializeOptions, InitializeOptionSpec>>;

/** The names of these options. */
export const initializeOptionNames = Object.keys(
  initializeOptionSpecs,
) as readonly (keyof InitializeOptions)[];
