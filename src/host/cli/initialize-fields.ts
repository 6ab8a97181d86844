import { OptionError } from '../../wire/util/option-checks.js';
import type { Capabilities } from './capabilities.js';
import { type Fact, type Span, spanOf, spanOfField } from './known-facts.js';

/** Options that become `initialize` fields which old CLIs ignore silently, each with the fact that it needs. */
const PROBED = {
  systemPrompt: 'takesSystemPrompt',
  appendSystemPrompt: 'takesAppendSystemPrompt',
  agents: 'takesAgents',
  outputFormat: 'takesJsonSchema',
  outputSchema: 'takesJsonSchema',
  title: 'takesTitle',
  skills: 'takesSkills',
} as const satisfies Record<string, Fact>;

/** Options of the same kind for which we know which versions have the field name at all. */
export const namedFields = [
  'agentProgressSummaries',
  'excludeDynamicSections',
  'forwardSubagentText',
  'planModeInstructions',
  'promptSuggestions',
  'toolAliases',
] as const;

/** Options that some CLIs would ignore. */
export type IgnorableOptions = Readonly<
  Partial<Record<keyof typeof PROBED | (typeof namedFields)[number], unknown>>
>;

/** Flags with the same effect, for CLIs that ignore the field. */
const FLAGS = {
  systemPrompt: 'system-prompt',
  appendSystemPrompt: 'append-system-prompt',
  agents: 'agents',
} as const satisfies Partial<Record<keyof typeof PROBED, string>>;

/** The options that a CLI gets as flags because it ignores them in `initialize`: their flags and values, by option. */
export function flagsForIgnored(
  options: IgnorableOptions,
  capabilities: Capabilities,
): ReadonlyMap<string, readonly [flag: string, value: string]> {
  const { version } = capabilities;
  const flags = Object.entries(FLAGS).flatMap(([name, flag]) => {
    const option = name as keyof typeof FLAGS;
    const value = options[option];
    const isIgnored = version !== undefined && !capabilities.has(PROBED[option]);
    // An empty prompt would be read as none.
    if (!isIgnored || !asksFor(value) || value === '' || !capabilities.takesFlag(`--${flag}`)) return [];
    return [[option, [flag, flagText(value)]] as const];
  });
  return new Map(flags);
}

function flagText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join('\n\n') : JSON.stringify(value);
}

/** The versions that respect each of them. */
const spans: readonly (readonly [keyof IgnorableOptions, Span])[] = [
  ...Object.entries(PROBED).map(([name, fact]) => [name as keyof typeof PROBED, spanOf(fact)] as const),
  ...namedFields.map((name) => [name, spanOfField(name)] as const),
];

/** Whether these options depend on what the CLI supports, so that its version must be known first. */
export function dependsOnCli(options: IgnorableOptions): boolean {
  return spans.some(([name]) => asksFor(options[name]));
}

/** @throws OptionError for an option that this CLI is known to ignore, unless it got the flag instead. */
export function checkIgnored(
  options: IgnorableOptions,
  { version, name: cli }: Capabilities,
  flags: ReadonlyMap<string, unknown> = new Map(),
): void {
  if (version === undefined) return;
  const ignored = spans.find(
    ([name, span]) => asksFor(options[name]) && !flags.has(name) && !span.holdsIn(version),
  );
  if (ignored === undefined) return;
  const [name, span] = ignored;
  const known = span.inWords ?? 'another CLI';
  throw new OptionError(name, `Option "${name}" would be ignored by ${cli}: leave it out, or use ${known}.`);
}

/** A switch that is off requests nothing, and "all" requests what every CLI does. */
function asksFor(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 'all';
}

/** A system prompt as this CLI accepts it: old CLIs ignore a list and use their own prompt. */
export function systemPromptFor(
  prompt: string | readonly string[],
  capabilities: Capabilities,
): string | readonly string[] {
  if (typeof prompt === 'string' || capabilities.has('takesSystemPromptList')) return prompt;
  return prompt.join('\n\n');
}
