import type { RequestBody, WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';

/** A tool call that the host is asked about. */
export interface PromptedCall {
  readonly name: string;
  readonly input: WireObject;
  readonly toolUseId: string;
  readonly prompt?: WireObject | undefined;
}

/** The body of `can_use_tool`, as the emulated version sends it. */
export function promptBody(cli: Cli, call: PromptedCall): RequestBody {
  return {
    subtype: 'can_use_tool',
    tool_name: call.name,
    ...(cli.traits.hasDisplayNames ? naming(cli, call) : {}),
    input: call.input,
    ...reasons(cli, call),
    ...call.prompt,
    ...(cli.traits.namesPromptedCall ? { tool_use_id: call.toolUseId } : {}),
  };
}

/** The suggestions for fewer prompts. */
export function suggestionsFor(cli: Cli, call: PromptedCall): WireObject {
  const { permission_suggestions: suggestions } = reasons(cli, call);
  return suggestions === undefined ? {} : { permission_suggestions: suggestions };
}

/** The MCP server of the called tool, as newer versions name it in prompts and hooks. */
export function serverOfTool({ state, traits }: Cli, name: string): WireObject {
  const server = /^mcp__(.+?)__/.exec(name)?.[1];
  if (server === undefined || !traits.detailed) return {};
  const source = state.servers.get(server)?.kind === 'sdk' ? 'sdk' : 'dynamic';
  return { mcp_server: { name: server, source } };
}

function naming(cli: Cli, { name, input }: PromptedCall): WireObject {
  const tool = /^mcp__.+?__(.+)$/.exec(name)?.[1];
  if (tool !== undefined) {
    return { ...serverOfTool(cli, name), display_name: tool, server_policy_ask_only: true };
  }
  if (name === 'AskUserQuestion') return { display_name: name, requires_user_interaction: true };
  const { description } = input;
  return { display_name: name, ...(typeof description === 'string' ? { description } : {}) };
}

/** Why the call needs permission, and the suggestions for fewer prompts. */
function reasons({ traits }: Cli, { name, input }: PromptedCall): WireObject {
  if (name === 'Bash') {
    const rules = [{ toolName: 'Bash', ruleContent: input.command }];
    return {
      permission_suggestions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }],
      decision_reason: 'This command requires approval',
      ...(traits.detailed ? { decision_reason_type: 'other' } : {}),
    };
  }
  if (name === 'Edit' || name === 'Write') {
    return { permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] };
  }
  if (!name.startsWith('mcp__') || !traits.survivesLostReader) return {};
  const rules = [{ toolName: name }];
  return {
    permission_suggestions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }],
  };
}
