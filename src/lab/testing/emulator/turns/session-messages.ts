import { randomBytes } from 'node:crypto';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import { systemInit, systemMessage } from '../../builders/system.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import type { Cli } from '../cli.js';
import { resolvedModel, transcriptPath } from '../cli.js';
import { Turn } from './emulated-turn.js';

/** Old versions warm up two agents on their own; hosts see their hooks. */
export async function warmUpAgents(cli: Cli): Promise<void> {
  const turn = new Turn([], cli.clock.now());
  const agents = ['Explore', 'Plan'].map((type) => ({ type, id: randomBytes(4).toString('hex').slice(1) }));
  for (const { type, id } of agents) {
    await fireHooks(cli, turn, { event: 'SubagentStart', input: { agent_id: id, agent_type: type } });
  }
  for (const { id } of agents) {
    const path = transcriptPath(cli).replace(/[^/]+$/, `agent-${id}.jsonl`);
    const input = { stop_hook_active: false, agent_id: id, agent_transcript_path: path };
    await fireHooks(cli, turn, { event: 'SubagentStop', input });
  }
}

/** The `system/init` of a turn, in the emulated version's format. */
export function initMessage(cli: Cli, turn: Turn): WireObject {
  const { state, traits } = cli;
  const servers = [...state.servers.values()];
  const tools = servers.flatMap(({ name, tools }) => tools.map((tool) => `mcp__${name}__${tool.name}`));
  return systemInit({
    cwd: state.cwd,
    tools: [...BUILT_IN_TOOLS, ...tools, ...resourceTools(cli)],
    mcp_servers: servers.map(({ name, status, kind }) => ({
      name,
      status,
      ...(traits.detailed ? { source: kind === 'sdk' ? 'sdk' : 'dynamic' } : {}),
    })),
    model: resolvedModel(cli),
    // A version that accepts any mode can be without one; then it reports none.
    permissionMode: state.permissionMode as string,
    claude_code_version: traits.version,
    agents: ['general-purpose', ...Object.keys(state.agents)],
    session_id: state.sessionId,
    ...(traits.detailed ? newKeys(cli, turn) : {}),
    ...(state.serverErrors.length === 0 ? {} : { mcp_server_errors: [...state.serverErrors] }),
  });
}

/** The tools that read resources, if a server has any. */
function resourceTools({ state, traits }: Cli): readonly string[] {
  const brings = [...state.servers.values()].some(
    ({ hasResources, from }) => hasResources && (from !== 'request' || traits.setServersBringResources),
  );
  return brings ? ['ListMcpResourcesTool', 'ReadMcpResourceTool'] : [];
}

const BUILT_IN_TOOLS = ['Task', 'AskUserQuestion', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'] as const;

const CAPABILITIES = ['interrupt_receipt_v1', 'interrupt_cancel_queued_v1', 'msg_lifecycle_v1'] as const;

function newKeys({ state, traits }: Cli, turn: Turn): WireObject {
  return {
    terminal_slash_commands: [],
    capabilities: CAPABILITIES.filter((name) => traits.hasCapability(name)),
    analytics_disabled: true,
    product_feedback_disabled: true,
    memory_paths: { auto: `${state.cwd}/memory/` },
    original_cwd: state.cwd,
    additional_directories: [],
    messaging_socket_path: `/tmp/emulated/${state.pid}.sock`,
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    per_turn_effort_active: true,
    ultrathink_available: false,
    ultrathink_typed_raises: false,
    view_mode: 'default',
    ...(turn.uuids.length === 0 ? {} : { user_message_uuids: turn.uuids }),
  };
}

/** A session's activity, which hosts may ask to be told. */
export type SessionActivity = 'idle' | 'running' | 'requires_action';

/** Reports the session's activity, if the host requested it and the version supports it. */
export async function tellActivity(cli: Cli, activity: SessionActivity): Promise<void> {
  if (!cli.traits.tellsActivity || !cli.state.tellsActivity) return;
  await cli.send(
    systemMessage('session_state_changed', { state: activity, session_id: cli.state.sessionId }),
  );
}
