import { isObject } from '../../protocol/frames.js';
import type { Options, ThinkingConfig } from '../types/options.js';
import { processServers } from './servers.js';

/** One part of the command line; the parts come in the order of the table. */
type Part = (options: Options & Undeclared) => readonly string[];

/** Options that the original takes without declaring them. */
interface Undeclared {
  readonly workload?: string;
  readonly managedSettingsDelivery?: 'argv' | 'initialize';
}

/** Turns options into the arguments that the official SDK makes of them. */
export function argumentsFor(options: Options): string[] {
  return PARTS.flatMap((part) => part(options));
}

const PARTS: readonly Part[] = [
  () => ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
  ({ thinking, maxThinkingTokens }) => thinkingArguments(thinking, maxThinkingTokens),
  ({ effort }) => value('--effort', effort),
  ({ maxTurns }) => value('--max-turns', maxTurns),
  ({ maxBudgetUsd }) => value('--max-budget-usd', maxBudgetUsd),
  ({ taskBudget }) => value('--task-budget', taskBudget?.total),
  ({ model }) => value('--model', model),
  ({ agent }) => value('--agent', agent),
  ({ betas }) => list('--betas', betas),
  ({ outputFormat }) => value('--json-schema', json(schemaOf(outputFormat))),
  ({ debug, debugFile }) => (filled(debugFile) ? value('--debug-file', debugFile) : flag('--debug', debug)),
  ({ canUseTool, permissionPromptToolName }) =>
    value('--permission-prompt-tool', canUseTool === undefined ? permissionPromptToolName : 'stdio'),
  ({ permissionPrompts }) => value('--permission-prompts', permissionPrompts),
  (options) => flag('--continue', options.continue),
  ({ resume }) => value('--resume', resume),
  ({ allowedTools = [], skills }) => list('--allowedTools', [...allowedTools, ...skillRules(skills)]),
  ({ disallowedTools }) => list('--disallowedTools', disallowedTools),
  ({ tools }) => toolArguments(tools),
  ({ mcpServers }) => apart('--mcp-config', serverConfig(mcpServers)),
  ({ settingSources }) => value('--setting-sources', settingSources?.join(',')),
  ({ strictMcpConfig }) => flag('--strict-mcp-config', strictMcpConfig),
  ({ permissionMode }) => value('--permission-mode', permissionMode),
  ({ allowDangerouslySkipPermissions: skip }) => flag('--allow-dangerously-skip-permissions', skip),
  ({ fallbackModel }) => value('--fallback-model', fallbackModel),
  ({ includeHookEvents }) => flag('--include-hook-events', includeHookEvents),
  ({ includePartialMessages }) => flag('--include-partial-messages', includePartialMessages),
  ({ projectConfigRoot }) => value('--project-config-root', projectConfigRoot),
  ({ additionalDirectories = [] }) => additionalDirectories.flatMap((folder) => value('--add-dir', folder)),
  (options) => pluginArguments(options),
  ({ forkSession }) => flag('--fork-session', forkSession),
  ({ resumeSessionAt }) => value('--resume-session-at', resumeSessionAt),
  ({ resumeDropsTurn }) => value('--resume-drops-turn', resumeDropsTurn),
  ({ sessionId }) => value('--session-id', sessionId),
  ({ persistSession }) => flag('--no-session-persistence', persistSession === false),
  ({ sessionStore }) => flag('--session-mirror', sessionStore !== undefined),
  ({ managedSettings, managedSettingsDelivery: by }) =>
    by === 'initialize' ? [] : apart('--managed-settings', json(managedSettings)),
  ({ extraArgs = {} }) => Object.entries(extraArgs).flatMap(([name, text]) => extra(name, text)),
  ({ workload }) => apart('--workload', workload),
  ({ settings, sandbox }) => apart('--settings', settingsText(settings, sandbox)),
];

/** The settings that go to the CLI, with the sandbox in them. @throws Error when they are in a file. */
export function settingsText(settings: Options['settings'], sandbox: Options['sandbox']): string | undefined {
  if (sandbox === undefined) return typeof settings === 'string' ? settings : json(settings);
  // A sandbox that was asked for must not be left out in silence where it is not available.
  const unsaid = sandbox.enabled === true && sandbox.failIfUnavailable === undefined;
  const strict = unsaid ? { failIfUnavailable: true } : {};
  return json({ ...settingsObject(settings), sandbox: { ...sandbox, ...strict } });
}

function settingsObject(settings: Options['settings']): object | undefined {
  if (typeof settings !== 'string') return settings;
  const parsed = parse(settings);
  if (isObject(parsed)) return parsed;
  throw new Error('The option sandbox cannot be merged into a settings file: put it into that file.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** The rules that let the model use skills. */
function skillRules(skills: Options['skills']): string[] {
  if (skills === 'all') return ['Skill'];
  return (skills ?? []).map((name) => `Skill(${name})`);
}

function toolArguments(tools: Options['tools']): string[] {
  if (tools === undefined) return [];
  return Array.isArray(tools) ? value('--tools', tools.join(',')) : value('--tools', 'default');
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

function value(name: string, given: string | number | null | undefined): string[] {
  return given === undefined || given === null ? [] : [`${name}=${given}`];
}

function list(name: string, given: readonly string[] = []): string[] {
  return given.length === 0 ? [] : [`${name}=${given.join(',')}`];
}

function flag(name: string, given: boolean | undefined): string[] {
  return given === true ? [name] : [];
}

/** A value in an argument of its own, unless it would be taken for a flag. */
function apart(name: string, given: string | undefined): string[] {
  if (given === undefined) return [];
  return given.startsWith('-') ? [`${name}=${given}`] : [name, given];
}

function extra(name: string, text: string | null): string[] {
  return text === null ? [`--${name}`] : apart(`--${name}`, String(text));
}

function json(given: object | undefined): string | undefined {
  return given === undefined ? undefined : JSON.stringify(given);
}

function filled(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
