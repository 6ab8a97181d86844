import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4Warning,
} from '@ai-sdk/provider';
import type { OpenOptions } from '../../entry/sdk/remote-session.js';
import { efforts } from '../../host/cli/options/cli-options.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';

/** Settings of a call that have no counterpart in the CLI. */
const UNSUPPORTED = [
  'maxOutputTokens',
  'temperature',
  'stopSequences',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
] as const;

/** The parts of a call that are not supported. */
export function callWarnings(options: LanguageModelV4CallOptions): SharedV4Warning[] {
  const { tools = [], toolChoice, responseFormat, reasoning } = options;
  const asked: string[] = UNSUPPORTED.filter((name) => options[name] !== undefined);
  if (tools.some(({ type }) => type === 'provider')) asked.push('provider tools');
  if (toolChoice !== undefined && toolChoice.type !== 'auto') asked.push('toolChoice');
  if (responseFormat?.type === 'json' && responseFormat.schema === undefined)
    asked.push('JSON without a schema');
  if (reasoning === 'none' || reasoning === 'minimal') asked.push(`reasoning: ${reasoning}`);
  return asked.map((feature) => ({
    type: 'unsupported',
    feature,
    details: 'The Claude CLI does not support it; it was ignored.',
  }));
}

/** The caller's own tools. */
export function functionTools({
  tools = [],
}: LanguageModelV4CallOptions): readonly LanguageModelV4FunctionTool[] {
  return tools.filter((tool) => tool.type === 'function');
}

/** The launch options in a call. */
export function launchOptions(options: LanguageModelV4CallOptions): OpenOptions {
  const { responseFormat, reasoning } = options;
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
  const effort = efforts.find((each) => each === reasoning);
  return {
    ...(schema === undefined ? {} : { outputSchema: schema as WireObject }),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** The conversation that a call names: `providerOptions: { coxswain: { resume: id } }`. */
export function namedConversation({ providerOptions }: LanguageModelV4CallOptions): string | undefined {
  const own = providerOptions?.coxswain;
  return isObject(own) && typeof own.resume === 'string' ? own.resume : undefined;
}
