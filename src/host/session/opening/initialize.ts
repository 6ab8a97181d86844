import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { type Fact, spanOf } from '../../cli/known-facts.js';

/** A subagent that the session brings along. Keys are those of the wire. */
export interface AgentDefinition {
  readonly description: string;
  readonly prompt: string;
  readonly tools?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly [key: string]: unknown;
}

/** Options that travel in the `initialize` request. */
export interface InitializeOptions {
  /** Replaces the CLI's own system prompt. Leave it out to keep that one; an empty string removes it. */
  readonly systemPrompt?: string | readonly string[] | undefined;
  /** Is added to the system prompt. */
  readonly appendSystemPrompt?: string | undefined;
  readonly agents?: Readonly<Record<string, AgentDefinition>> | undefined;
  readonly title?: string | undefined;
  readonly skills?: readonly string[] | undefined;
  readonly planModeInstructions?: string | undefined;
  readonly toolAliases?: Readonly<Record<string, string>> | undefined;
  readonly excludeDynamicSections?: boolean | undefined;
  readonly promptSuggestions?: boolean | undefined;
  readonly agentProgressSummaries?: boolean | undefined;
  readonly forwardSubagentText?: boolean | undefined;
  readonly supportedDialogKinds?: readonly string[] | undefined;
  readonly perTaskStopAffordance?: boolean | undefined;
}

/** For layers above that speak for another SDK: fields of `initialize` as they are, over those of the options. */
export interface InitializeExtras {
  readonly initializeFields?: (() => WireObject) | undefined;
}

/** What else goes into `initialize`, made by the session from its other options. */
export interface InitializeParts {
  readonly hooks?: WireObject | undefined;
  readonly sdkMcpServers?: readonly string[] | undefined;
  readonly jsonSchema?: WireObject | undefined;
}

/** The names of the options above, as the check of options knows them. */
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

/** The options above that old CLIs ignore without a word, each with the fact that it needs. */
const IGNORED = {
  systemPrompt: 'takesSystemPrompt',
  appendSystemPrompt: 'takesAppendSystemPrompt',
  agents: 'takesAgents',
} as const satisfies Partial<Record<keyof InitializeOptions, Fact>>;

/** Whether these options depend on what the CLI can do, so that its version must be known first. */
export function dependsOnCli(options: InitializeOptions): boolean {
  return Object.keys(IGNORED).some((name) => options[name as keyof typeof IGNORED] !== undefined);
}

/** @throws OptionError for an option that this CLI is known to ignore. */
export function checkInitializeOptions(options: InitializeOptions, capabilities: Capabilities): void {
  if (capabilities.version === undefined) return;
  for (const [name, fact] of Object.entries(IGNORED)) {
    if (options[name as keyof typeof IGNORED] === undefined || capabilities.has(fact)) continue;
    const known = spanOf(fact).inWords ?? 'another CLI';
    throw new OptionError(
      name,
      `Option "${name}" would be ignored by ${capabilities.name}: leave it out, or use ${known}.`,
    );
  }
}

/** Builds the `initialize` request; what was not given is left out. */
export function initializeBody(
  options: InitializeOptions & InitializeExtras,
  parts: InitializeParts,
  capabilities: Capabilities,
): RequestBody {
  checkInitializeOptions(options, capabilities);
  const body: Record<string, unknown> & { subtype: string } = { subtype: 'initialize' };
  for (const name of PASSED_ON) if (options[name] !== undefined) body[name] = options[name];
  if (options.systemPrompt !== undefined)
    body.systemPrompt = systemPrompt(options.systemPrompt, capabilities);
  if (parts.hooks !== undefined) body.hooks = parts.hooks;
  if (parts.sdkMcpServers !== undefined && parts.sdkMcpServers.length > 0)
    body.sdkMcpServers = parts.sdkMcpServers;
  if (parts.jsonSchema !== undefined) body.jsonSchema = parts.jsonSchema;
  return { ...body, ...options.initializeFields?.() };
}

/** Old CLIs ignore a list and use their own prompt. */
function systemPrompt(
  prompt: string | readonly string[],
  capabilities: Capabilities,
): string | readonly string[] {
  if (typeof prompt === 'string' || capabilities.has('takesSystemPromptList')) return prompt;
  return prompt.join('\n\n');
}
