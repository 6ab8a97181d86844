import type { Options, ThinkingConfig } from '../types/option-types.js';
import type { LaunchOptions } from './official-environment.js';
import { processServers } from './official-servers.js';
import { settingsText } from './official-settings.js';

/** One part of the command line; the parts come in the order of the table. */
type Part = (options: LaunchOptions & Undeclared) => readonly string[];

/** Options that the original accepts without declaring them. */
interface Undeclared {
  readonly workload?: string;
}

/** Turns options into the same arguments as the official SDK. */
export function argumentsFor(options: LaunchOptions): string[] {
  return PARTS.flatMap((part) => part(options));
}

const PARTS: readonly Part[] = [
  () => ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
  ({ thinking, maxThinkingTokens }) => thinkingArguments(thinking, maxThinkingTokens),
  ({ effort }) => value('--effort', effort),
  ({ maxTurns }) => value('--max-turns', maxTurns || undefined),
  ({ maxBudgetUsd }) => value('--max-budget-usd', maxBudgetUsd),
  ({ taskBudget }) => value('--task-budget', taskBudget?.total),
  ({ model }) => value('--model', model),
  ({ agent }) => value('--agent', agent),
  ({ betas }) => list('--betas', betas),
  ({ outputFormat }) => value('--json-schema', json(schemaOf(outputFormat))),
  ({ debug, debugFile }) => (debugFile ? value('--debug-file', debugFile) : flag('--debug', debug)),
  ({ canUseTool, permissionPromptToolName }) =>
    value('--permission-prompt-tool', canUseTool === undefined ? permissionPromptToolName : 'stdio'),
  ({ permissionPrompts }) => value('--permission-prompts', permissionPrompts),
  (options) => flag('--continue', options.continue),
  ({ resume }) => value('--resume', resume),
  ({ allowedTools = [], skills }) => list('--allowedTools', toolRules(allowedTools, skills)),
  ({ disallowedTools }) => list('--disallowedTools', disallowedTools),
  ({ tools }) => toolArguments(tools),
  ({ mcpServers }) => apart('--mcp-config', serverConfig(mcpServers)),
  ({ settingSources }) => exactly('--setting-sources', settingSources?.join(',')),
  ({ strictMcpConfig }) => flag('--strict-mcp-config', strictMcpConfig),
  ({ permissionMode }) => value('--permission-mode', permissionMode),
  ({ allowDangerouslySkipPermissions: skip }) => flag('--allow-dangerously-skip-permissions', skip),
  ({ fallbackModel }) => value('--fallback-model', fallbackModel),
  ({ includeHookEvents }) => flag('--include-hook-events', includeHookEvents),
  ({ includePartialMessages }) => flag('--include-partial-messages', includePartialMessages),
  ({ projectConfigRoot }) => exactly('--project-config-root', projectConfigRoot),
  ({ additionalDirectories = [] }) => additionalDirectories.flatMap((folder) => value('--add-dir', folder)),
  (options) => pluginArguments(options),
  ({ forkSession }) => flag('--fork-session', forkSession),
  ({ resumeSessionAt }) => value('--resume-session-at', resumeSessionAt),
  ({ resumeDropsTurn }) => exactly('--resume-drops-turn', resumeDropsTurn),
  ({ sessionId }) => value('--session-id', sessionId),
  ({ persistSession }) => flag('--no-session-persistence', persistSession === false),
  ({ sessionStore }) => flag('--session-mirror', sessionStore !== undefined),
  ({ managedSettings }) => apart('--managed-settings', json(managedSettings)),
  ({ extraArgs = {} }) => extraArguments(extraArgs),
  ({ workload }) => apart('--workload', workload),
  (options) => apart('--settings', settingsText(options)),
  ({ parked }) => flag('--await-claim', parked),
];

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

function serverConfig(servers: Options['mcpServers']): string | undefined {
  const outside = processServers(servers);
  return Object.keys(outside).length === 0 ? undefined : json({ mcpServers: outside });
}

function pluginArguments({ plugins = [], pluginDelivery }: Options): string[] {
  if (pluginDelivery === 'initialize') return flag('--await-initialize', plugins.length > 0);
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

/** Arguments that the CLI always gets; there can be only one settings argument. */
function extraArguments({ settings: _elsewhere, ...extra }: NonNullable<Options['extraArgs']>): string[] {
  return Object.entries(extra).flatMap(([name, text]) =>
    text === null ? [`--${name}`] : apart(`--${name}`, String(text)),
  );
}

function json(given: object | undefined): string | undefined {
  return given === undefined ? undefined : JSON.stringify(given);
}
