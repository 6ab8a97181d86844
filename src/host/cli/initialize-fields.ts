import { OptionError } from '../../wire/util/option-checks.js';
import type { Capabilities } from './capabilities.js';
import { type Span, spanOf, spanOfField } from './known-facts.js';
import {
  type InitializeOptions,
  initializeOptionNames,
  initializeOptionSpecs,
} from './options/initialize-options.js';
import type { InitializeOptionSpec } from './options/passing.js';

/** Options that some CLIs would ignore: `outputFormat` is what the official SDK calls `outputSchema`. */
export type IgnorableOptions = Readonly<
  Partial<Record<keyof InitializeOptions | 'outputFormat' | 'outputSchema', unknown>>
>;

/** A field that some CLIs ignore silently: the versions that respect it, and a flag with the same effect. */
interface IgnoredField {
  readonly option: keyof IgnorableOptions;
  readonly span: Span;
  readonly flag?: string | undefined;
}

const ignoredFields: readonly IgnoredField[] = [
  ...initializeOptionNames.flatMap(ignoredField),
  { option: 'outputFormat', span: spanOf('takesJsonSchema') },
  { option: 'outputSchema', span: spanOf('takesJsonSchema') },
];

function ignoredField(option: keyof InitializeOptions): IgnoredField[] {
  const { since, flag }: InitializeOptionSpec['field'] = initializeOptionSpecs[option].field;
  if (since === undefined) return [];
  return [{ option, flag, span: since === 'named' ? spanOfField(option) : spanOf(since) }];
}

/** The options that a CLI gets as flags because it ignores them in `initialize`: their flags and values, by option. */
export function flagsForIgnored(
  options: IgnorableOptions,
  capabilities: Capabilities,
): ReadonlyMap<string, readonly [name: string, value: string]> {
  const { version } = capabilities;
  const flags = ignoredFields.flatMap(({ option, span, flag }) => {
    const value = options[option];
    const isIgnored = version !== undefined && !span.holdsIn(version);
    // An empty prompt would be read as none.
    if (flag === undefined || !isIgnored || !asksFor(value) || value === '') return [];
    if (!capabilities.takesFlag(flag)) return [];
    return [[option, [flag.slice(2), flagText(value)]] as const];
  });
  return new Map(flags);
}

function flagText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join('\n\n') : JSON.stringify(value);
}

/** Fields of which the ledger knows which CLIs contain their names. */
export const namedFields: readonly string[] = initializeOptionNames.filter((name) => {
  const { since }: InitializeOptionSpec['field'] = initializeOptionSpecs[name].field;
  return since === 'named';
});

/** Whether these options depend on what the CLI supports, so that its version must be known first. */
export function dependsOnCli(options: IgnorableOptions): boolean {
  return ignoredFields.some(({ option }) => asksFor(options[option]));
}

/** @throws OptionError for an option that this CLI is known to ignore, unless it got the flag instead. */
export function checkIgnored(
  options: IgnorableOptions,
  { version, name: cli }: Capabilities,
  flags: ReadonlyMap<string, unknown> = new Map(),
): void {
  if (version === undefined) return;
  const ignored = ignoredFields.find(
    ({ option, span }) => asksFor(options[option]) && !flags.has(option) && !span.holdsIn(version),
  );
  if (ignored === undefined) return;
  const { option, span } = ignored;
  const known = span.inWords ?? 'another CLI';
  throw new OptionError(
    option,
    `Option "${option}" would be ignored by ${cli}: leave it out, or use ${known}.`,
  );
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
