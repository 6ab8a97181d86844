import type { MessageName } from '../../../wire/protocol/catalog/catalog.js';
import type { Message, UnknownSystemMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { built, type Overrides } from './identity.js';

/** The `system/init` message that opens every turn. */
export function systemInit(overrides?: Overrides<'system/init'>): Message<'system/init'> {
  return built<'system/init'>(
    {
      type: 'system',
      subtype: 'init',
      cwd: '/project',
      tools: ['Task', 'Bash', 'Read', 'Edit', 'Write', 'AskUserQuestion'],
      mcp_servers: [],
      model: 'claude-sonnet-4-5-20250929',
      permissionMode: 'default',
      slash_commands: ['compact', 'context'],
      apiKeySource: 'ANTHROPIC_API_KEY',
      claude_code_version: '2.1.17',
      output_style: 'default',
      agents: ['general-purpose'],
      skills: [],
      plugins: [],
    },
    overrides,
  );
}

/** Subtypes of `system` messages that the catalog knows. */
export type SystemSubtype = MessageName extends infer Name
  ? Name extends `system/${infer Subtype}`
    ? Subtype
    : never
  : never;

/** Any other `system` message, known or unknown. */
export function systemMessage<Subtype extends SystemSubtype>(
  subtype: Subtype,
  overrides?: Overrides<`system/${Subtype}`>,
): Message<`system/${Subtype}`>;
export function systemMessage(subtype: string, overrides?: WireObject): UnknownSystemMessage;
export function systemMessage(subtype: string, overrides?: WireObject): WireObject {
  return built<'system/status'>({ type: 'system', subtype }, overrides);
}

/** A `rate_limit_event`, which newer CLIs send when a limit is close or reached. */
export function rateLimitEvent(
  info: Partial<Message<'rate_limit_event'>['rate_limit_info']> = {},
  overrides?: Overrides<'rate_limit_event'>,
): Message<'rate_limit_event'> {
  const defaults = { status: 'allowed_warning', rateLimitType: 'five_hour', utilization: 0.9 };
  return built<'rate_limit_event'>(
    { type: 'rate_limit_event', rate_limit_info: { ...defaults, ...info } },
    overrides,
  );
}
