import type { Capabilities } from '../../../host/cli/capabilities.js';
import { checkIgnored, flagsForIgnored, systemPromptFor } from '../../../host/cli/initialize-fields.js';
import { initializeOptionNames } from '../../../host/cli/options/initialize-options.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Options, SystemPrompt } from '../types/option-types.js';
import { initializeServers, ownServerSettings, ownServers } from './official-servers.js';
import { UNDECLARED_FIELDS } from './warn-of-options.js';

/** Options that become other fields, or none. */
const MADE_OTHERWISE: ReadonlySet<string> = new Set([
  'systemPrompt',
  'appendSystemPrompt',
  'excludeDynamicSections',
  'skills',
]);

/** The fields that take options of the same name; the original does not declare the second part. */
const PASSED_ON: readonly string[] = [
  ...initializeOptionNames.filter((name) => !MADE_OTHERWISE.has(name)),
  ...UNDECLARED_FIELDS,
];

/** The fields of `initialize` that the official SDK creates from options; hooks are added elsewhere. */
export function initializeFields(options: Options, hooks: WireObject | undefined): WireObject {
  const given: WireObject = options;
  const { plugins = [], pluginDelivery } = options;
  const names = Object.keys(ownServers(options.mcpServers));
  return defined({
    hooks,
    sdkMcpServers: names.length === 0 ? undefined : names,
    sdkMcpServerConfigs: ownServerSettings(options.mcpServers),
    mcpServers: initializeServers(options),
    jsonSchema: options.outputFormat?.type === 'json_schema' ? options.outputFormat.schema : undefined,
    ...promptFields(options.systemPrompt),
    skills: Array.isArray(options.skills) ? options.skills : undefined,
    plugins: pluginDelivery === 'initialize' && plugins.length > 0 ? plugins : undefined,
    ...Object.fromEntries(PASSED_ON.map((name) => [name, given[name]])),
  });
}

/**
 * The flags for options that this CLI is known to ignore in `initialize`.
 * @throws OptionError for one that has no flag either.
 */
export function flagsForFields(options: Options, capabilities: Capabilities): Record<string, string> {
  const { systemPrompt, ...others } = withoutHints(options);
  const prompts = systemPrompt === undefined ? {} : promptFields(systemPrompt);
  const fields = { ...others, ...prompts };
  const flags = flagsForIgnored(fields, capabilities);
  checkIgnored(fields, capabilities, flags);
  return Object.fromEntries(flags.values());
}

/**
 * Programs written for the official SDK set these on every CLI: they only request more reports or name things, and a CLI that
 * ignores them does nothing wrong.
 */
const HINTS = [
  'agentProgressSummaries',
  'excludeDynamicSections',
  'forwardSubagentText',
  'promptSuggestions',
  'title',
] as const;

function withoutHints(options: Options): Options {
  return { ...options, ...Object.fromEntries(HINTS.map((name) => [name, undefined])) };
}

/**
 * The fields as this CLI accepts them; an unknown CLI gets what the original sends. So does every CLI if
 * no prompt was given: old ones ignore the original's empty list and keep their own prompt, and programs rely on that.
 */
export function fieldsFor(fields: WireObject, capabilities: Capabilities): WireObject {
  const { systemPrompt } = fields;
  if (capabilities.version === undefined || !Array.isArray(systemPrompt)) return fields;
  if (systemPrompt.every((part) => part === '')) return fields;
  return { ...fields, systemPrompt: systemPromptFor(systemPrompt, capabilities) };
}

/** Without the option, the original sends an empty prompt; only the preset keeps the CLI's own. */
function promptFields(prompt: SystemPrompt | undefined): WireObject {
  const {
    type,
    append,
    snapshot,
    excludeDynamicSections,
    prompt: own,
  }: WireObject = isObject(prompt) ? prompt : {};
  if (type === 'preset')
    return { appendSystemPrompt: append, excludeDynamicSections, systemPromptSnapshot: snapshot };
  if (type === 'custom') return { systemPrompt: asList(own), systemPromptSnapshot: snapshot };
  return { systemPrompt: asList(prompt ?? '') };
}

function asList(prompt: unknown): unknown {
  return Array.isArray(prompt) ? prompt : [prompt];
}

function defined(fields: WireObject): WireObject {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}
