import { OptionError } from '../../wire/util/option-checks.js';
import type { Capabilities } from './capabilities.js';
import { type Fact, spanOf } from './known-facts.js';

/** Options that become fields of `initialize` which old CLIs ignore without a word, each with the fact that it needs. */
const IGNORED = {
  systemPrompt: 'takesSystemPrompt',
  appendSystemPrompt: 'takesAppendSystemPrompt',
  agents: 'takesAgents',
  outputFormat: 'takesJsonSchema',
} as const satisfies Record<string, Fact>;

/** Options of which some CLIs would ignore what they say. */
export type IgnorableOptions = Readonly<Partial<Record<keyof typeof IGNORED, unknown>>>;

/** Whether these options depend on what the CLI can do, so that its version must be known first. */
export function dependsOnCli(options: IgnorableOptions): boolean {
  return Object.keys(IGNORED).some((name) => options[name as keyof typeof IGNORED] !== undefined);
}

/** @throws OptionError for an option that this CLI is known to ignore. */
export function checkIgnored(options: IgnorableOptions, capabilities: Capabilities): void {
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

/** A system prompt as this CLI takes it: old ones ignore a list and use their own prompt. */
export function systemPromptFor(
  prompt: string | readonly string[],
  capabilities: Capabilities,
): string | readonly string[] {
  if (typeof prompt === 'string' || capabilities.has('takesSystemPromptList')) return prompt;
  return prompt.join('\n\n');
}
