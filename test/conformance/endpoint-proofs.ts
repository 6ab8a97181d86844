import type { EndpointName } from '../../src/host/session/endpoints/endpoint-table.js';
import type { RequirementId } from '../../src/lab/conformance/requirements/requirements.js';

/** A way to serve an endpoint: the request, and the requirements that a CLI must meet for it to work. */
export interface Way {
  readonly by: string;
  readonly needs: readonly RequirementId[];
}

const SET_AGAIN: Way = {
  by: 'mcp_set_servers',
  needs: ['endpoint:mcp_set_servers', 'mcp-set:process', 'mcp-set:replaces-its-own', 'mcp-set:again'],
};
const TOGGLE: Way = { by: 'mcp_toggle', needs: ['endpoint:mcp_toggle'] };

/** Every way in which the table serves an endpoint on some version, the best one first. */
export const ways: Readonly<Record<EndpointName, readonly Way[]>> = {
  interrupt: [
    {
      by: 'interrupt',
      needs: ['endpoint:interrupt', 'interrupt:idle', 'interrupt:ends-turn', 'interrupt:session-goes-on'],
    },
  ],
  initialize: [{ by: 'initialize', needs: ['endpoint:initialize', 'handshake:five-keys'] }],
  set_permission_mode: [
    {
      by: 'set_permission_mode',
      needs: ['endpoint:set_permission_mode', 'mode:answered', 'mode:init-shows-it', 'mode:accept-edits'],
    },
  ],
  set_model: [{ by: 'set_model', needs: ['endpoint:set_model', 'model:used'] }],
  set_max_thinking_tokens: [{ by: 'set_max_thinking_tokens', needs: ['endpoint:set_max_thinking_tokens'] }],
  mcp_status: [{ by: 'mcp_status', needs: ['endpoint:mcp_status', 'mcp-status:connected'] }],
  mcp_message: [{ by: 'mcp_message', needs: ['endpoint:mcp_message', 'mcp:tool-call', 'mcp:ping'] }],
  mcp_set_servers: [{ ...SET_AGAIN, needs: [...SET_AGAIN.needs, 'mcp-set:failed'] }],
  rewind_files: [
    { by: 'rewind_files', needs: ['endpoint:rewind_files', 'rewind:restores', 'rewind:unknown-message'] },
  ],
  agent_run_to_background: [
    { by: 'agent_run_to_background', needs: ['endpoint:agent_run_to_background'] },
    { by: 'background_tasks', needs: ['endpoint:background_tasks', 'task:started'] },
  ],
  get_chrome_status: [
    { by: 'get_chrome_status', needs: ['endpoint:get_chrome_status'] },
    { by: 'get_chrome_dialog, mcp_status', needs: ['endpoint:get_chrome_dialog', 'endpoint:mcp_status'] },
    { by: 'mcp_status', needs: ['endpoint:mcp_status'] },
  ],
  mcp_reconnect: [{ by: 'mcp_reconnect', needs: ['endpoint:mcp_reconnect'] }, SET_AGAIN],
  mcp_tools: [
    { by: 'mcp_tools', needs: ['endpoint:mcp_tools'] },
    { by: 'mcp_status', needs: ['endpoint:mcp_status', 'mcp-status:tools'] },
  ],
  // A CLI that only remembers it for later sessions does not count.
  mcp_disable: [
    { by: 'mcp_disable', needs: ['endpoint:mcp_disable'] },
    { ...TOGGLE, needs: [...TOGGLE.needs, 'mcp-toggle:status'] },
    SET_AGAIN,
  ],
  mcp_enable: [{ by: 'mcp_enable', needs: ['endpoint:mcp_enable'] }, TOGGLE, SET_AGAIN],
};

/** Behaviour that users of an endpoint rely on: a version that lacks it has a note in the table. */
export const noted: Readonly<Partial<Record<EndpointName, readonly RequirementId[]>>> = {
  initialize: ['handshake:again'],
  set_permission_mode: ['mode:unknown'],
  set_max_thinking_tokens: ['thinking:budget'],
  mcp_set_servers: ['mcp-set:in-process', 'mcp-set:resources'],
  rewind_files: ['rewind:dry-run', 'rewind:dry-run-harmless'],
  mcp_reconnect: ['mcp-reconnect:command-line', 'mcp-reconnect:in-process'],
  mcp_enable: ['mcp-toggle:greeted-again'],
};
