import type { WireObject } from '../../../wire/protocol/frames.js';
import { built, type Overrides } from './identity.js';

/** The `system/init` message that opens every turn. */
export function systemInit(overrides?: Overrides): WireObject {
  return built(
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

/** Any other `system` message. */
export function systemMessage(subtype: string, overrides?: Overrides): WireObject {
  return built({ type: 'system', subtype }, overrides);
}

/** A `rate_limit_event`, which newer CLIs send when a limit comes near or is reached. */
export function rateLimitEvent(info: WireObject = {}, overrides?: Overrides): WireObject {
  const defaults = { status: 'allowed_warning', rateLimitType: 'five_hour', utilization: 0.9 };
  return built({ type: 'rate_limit_event', rate_limit_info: { ...defaults, ...info } }, overrides);
}
