import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import type { McpServerConfig } from '../../../wire/protocol/mcp-server-config.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { checkIgnored, type IgnorableOptions, systemPromptFor } from '../../cli/initialize-fields.js';
import type { Effort, PermissionMode, SettingSource } from '../../cli/options/cli-options.js';

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

/** For layers that implement another SDK: fields of `initialize` that override those of the options. */
export interface InitializeExtras {
  readonly initializeFields?: (() => WireObject) | undefined;
}

/** Other parts of `initialize`, made by the session from its other options. */
export interface InitializeParts {
  readonly hooks?: WireObject | undefined;
  readonly sdkMcpServers?: readonly string[] | undefined;
  readonly jsonSchema?: WireObject | undefined;
  /** The options that the CLI got as flags. */
  readonly inFlags?: ReadonlyMap<string, unknown> | undefined;
}

/** The names of the options above, for the option check. */
const PASSED_ON = [
  'appendSystemPrompt',
  'agents',
  'title',
  'skills',
  'planModeInstructions',
  'toolAliases',
  'excludeDynamicSections',
  'promptSuggestions',
  'agentProgressSummaries',
  'forwardSubagentText',
  'supportedDialogKinds',
  'perTaskStopAffordance',
] as const satisfies readonly (keyof InitializeOptions)[];

/** Builds the `initialize` request; options that were not given are left out. */
export function initializeBody(
  options: InitializeOptions & InitializeExtras & IgnorableOptions,
  parts: InitializeParts,
  capabilities: Capabilities,
): RequestBody {
  checkIgnored(options, capabilities, parts.inFlags);
  const body: Record<string, unknown> & { subtype: string } = { subtype: 'initialize' };
  for (const name of PASSED_ON) if (options[name] !== undefined) body[name] = options[name];
  if (options.systemPrompt !== undefined)
    body.systemPrompt = systemPromptFor(options.systemPrompt, capabilities);
  if (parts.hooks !== undefined) body.hooks = parts.hooks;
  if (parts.sdkMcpServers !== undefined && parts.sdkMcpServers.length > 0)
    body.sdkMcpServers = parts.sdkMcpServers;
  if (parts.jsonSchema !== undefined) body.jsonSchema = parts.jsonSchema;
  return { ...body, ...options.initializeFields?.() };
}
