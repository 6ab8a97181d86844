import { launchOptionSpecs } from '../../../host/cli/options/cli-option-table.js';
import type { CliOptionSpec } from '../../../host/cli/options/passing.js';
import type { Options, ThinkingConfig } from '../types/option-types.js';
import type { LaunchOptions } from './official-environment.js';
import { initializeServers, processServers } from './official-servers.js';
import { settingsText } from './official-settings.js';

/** One part of the command line; the parts come in the order of the table. */
type Part = (options: LaunchOptions & Undeclared, hide: HideValue) => readonly string[];

/** Turns the value of a flag that also takes the path of a file into what goes on the command line. */
export type HideValue = (flag: string, value: string) => string;

/** Options that the original accepts without declaring them. */
interface Undeclared {
  readonly workload?: string;
}

/** Turns options into the same arguments as the official SDK, except for values that are hidden in files. */
export function argumentsFor(options: LaunchOptions, hide: HideValue = (_flag, value) => value): string[] {
  const hideJson: HideValue = (flag, value) =>
    value.trimStart().startsWith('{') ? hide(flag, value) : value;
  return PARTS.flatMap((part) => part(options, hideJson));
}

const PARTS: readonly Part[] = [
  () => ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
  ({ thinking, maxThinkingTokens }) => thinkingArguments(thinking, maxThinkingTokens),
  alike('effort'),
  ({ maxTurns }) => value('--max-turns', maxTurns || undefined),
  alike('maxBudgetUsd'),
  ({ taskBudget }) => value('--task-budget', taskBudget?.total),
  alike('model'),
  alike('agent'),
  ({ betas }) => list('--betas', betas),
  ({ outputFormat }) => value('--json-schema', json(schemaOf(outputFormat))),
  ({ debug, debugFile }) => (debugFile ? value('--debug-file', debugFile) : flag('--debug', debug)),
  ({ canUseTool, permissionPromptToolName }) =>
    value('--permission-prompt-tool', canUseTool === undefined ? permissionPromptToolName : 'stdio'),
  alike('permissionPrompts'),
  alike('continue'),
  alike('resume'),
  ({ allowedTools = [], skills }) => list('--allowedTools', toolRules(allowedTools, skills)),
  alike('disallowedTools'),
  ({ tools }) => toolArguments(tools),
  (options, hide) => serverArguments(options, hide),
  ({ settingSources }) => exactly('--setting-sources', settingSources?.join(',')),
  alike('strictMcpConfig'),
  alike('permissionMode'),
  alike('allowDangerouslySkipPermissions'),
  alike('fallbackModel'),
  alike('includeHookEvents'),
  ({ includePartialMessages }) => flag('--include-partial-messages', includePartialMessages),
  ({ projectConfigRoot }) => exactly('--project-config-root', projectConfigRoot),
  alike('additionalDirectories'),
  (options) => pluginArguments(options),
  (options) => flag('--await-initialize', sendsInitializeFirst(options)),
  alike('forkSession'),
  alike('resumeSessionAt'),
  ({ resumeDropsTurn }) => exactly('--resume-drops-turn', resumeDropsTurn),
  alike('sessionId'),
  alike('persistSession'),
  ({ sessionStore }) => flag('--session-mirror', sessionStore !== undefined),
  ({ managedSettings }) => apart('--managed-settings', json(managedSettings)),
  ({ extraArgs = {} }, hide) => extraArguments(extraArgs, hide),
  ({ workload }) => apart('--workload', workload),
  (options, hide) => hidden('--settings', settingsText(options), hide),
  ({ parked }) => flag('--await-claim', parked),
];

/** An option that the original passes as we do: our table has its flag. */
function alike(name: keyof typeof launchOptionSpecs & keyof Options): Part {
  const { passed }: CliOptionSpec<never> = launchOptionSpecs[name];
  return (options) => ('flag' in passed ? passedAs[passed.as](passed.flag, options[name]) : []);
}

/** How the original writes them; like there, anything that is set turns a switch on. */
const passedAs = {
  value: (name: string, given: unknown) => (given === undefined ? [] : value(name, String(given))),
  switch: (name: string, given: unknown) => flag(name, Boolean(given)),
  'off-switch': (name: string, given: unknown) => flag(name, given === false),
  list: (name: string, given: unknown) => list(name, textsIn(given)),
  each: (name: string, given: unknown) => textsIn(given).flatMap((text) => value(name, text)),
};

function textsIn(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : [];
}

function thinkingArguments(thinking: ThinkingConfig | undefined, tokens: number | undefined): string[] {
  if (thinking === undefined) {
    return tokens === 0 ? value('--thinking', 'disabled') : value('--max-thinking-tokens', tokens);
  }
  if (thinking.type === 'disabled') return value('--thinking', 'disabled');
  const budget = thinking.type === 'enabled' ? thinking.budgetTokens : undefined;
  const amount =
    budget === undefined ? value('--thinking', 'adaptive') : value('--max-thinking-tokens', budget);
  return [...amount, ...value('--thinking-display', thinking.display)];
}

/** The rules that allow tools, including skills. */
function toolRules(allowed: readonly string[], skills: Options['skills']): readonly string[] {
  if (skills === undefined) return allowed;
  const rules = skills === 'all' ? ['Skill'] : skills.map((name) => `Skill(${name})`);
  return [...allowed, ...new Set(rules.filter((rule) => !allowed.includes(rule)))];
}

function toolArguments(tools: Options['tools']): string[] {
  if (tools === undefined) return [];
  return Array.isArray(tools) ? exactly('--tools', tools.join(',')) : value('--tools', 'default');
}

function serverArguments({ mcpServers, mcpServersDelivery }: Options, hide: HideValue): string[] {
  const outside = processServers(mcpServers);
  if (mcpServersDelivery === 'initialize' || Object.keys(outside).length === 0) return [];
  return hidden('--mcp-config', json({ mcpServers: outside }), hide);
}

/** Whether the CLI must read `initialize` before it loads plugins and servers. */
function sendsInitializeFirst(options: Options): boolean {
  const { plugins = [], pluginDelivery } = options;
  return (pluginDelivery === 'initialize' && plugins.length > 0) || initializeServers(options) !== undefined;
}

function pluginArguments({ plugins = [], pluginDelivery }: Options): string[] {
  if (pluginDelivery === 'initialize') return [];
  return plugins.flatMap(({ path, skipMcpDiscovery }) =>
    value(skipMcpDiscovery === true ? '--plugin-dir-no-mcp' : '--plugin-dir', path),
  );
}

function schemaOf(format: Options['outputFormat']): object | undefined {
  return format?.type === 'json_schema' ? format.schema : undefined;
}

/** A flag with its value; an empty string is left out, as in the original. */
function value(name: string, given: string | number | undefined): string[] {
  return given === '' ? [] : exactly(name, given);
}

/** A flag with its value, where even an empty value has a meaning. */
function exactly(name: string, given: string | number | undefined): string[] {
  return given === undefined ? [] : [`${name}=${given}`];
}

function list(name: string, given: readonly string[] = []): string[] {
  return given.length === 0 ? [] : [`${name}=${given.join(',')}`];
}

function flag(name: string, given: boolean | undefined): string[] {
  return given ? [name] : [];
}

/** A value as a separate argument, unless it could be mistaken for a flag. */
function apart(name: string, given: string | undefined): string[] {
  if (given === undefined) return [];
  return given.startsWith('-') ? [`${name}=${given}`] : [name, given];
}

/** A value that every CLI also takes from a file. */
function hidden(name: string, given: string | undefined, hide: HideValue): string[] {
  return apart(name, given === undefined ? undefined : hide(name, given));
}

/** Arguments that the CLI always gets; there can be only one settings argument. */
function extraArguments(
  { settings: _elsewhere, ...extra }: NonNullable<Options['extraArgs']>,
  hide: HideValue,
): string[] {
  return Object.entries(extra).flatMap(([name, text]) => {
    if (text === null) return [`--${name}`];
    return name === 'mcp-config' ? hidden('--mcp-config', text, hide) : apart(`--${name}`, String(text));
  });
}

function json(given: object | undefined): string | undefined {
  return given === undefined ? undefined : JSON.stringify(given);
}
