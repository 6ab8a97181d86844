import type { HostRequestName } from '../../../wire/protocol/catalog/catalog.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { PLAIN_TOOL, PROCESS_SERVER, RESOURCE_URI } from '../process-server.js';

/** The uuid of the user message that the endpoint probes send first. */
export const FIRST_MESSAGE = '11111111-1111-4111-8111-111111111111';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The fields of each request, so that a CLI that serves it needs nothing but its own folder. */
export const endpointFields: Readonly<Partial<Record<HostRequestName, WireObject>>> = {
  set_permission_mode: { mode: 'acceptEdits' },
  set_model: { model: 'opus' },
  set_max_thinking_tokens: { max_thinking_tokens: 1000 },
  set_color: { color: 'red' },
  set_has_subscribers: { has_subscribers: true },
  set_prompt_suggestions_paused: { paused: true },
  set_proactive: { enabled: false },
  cancel_async_message: { message_uuid: NOBODY },
  rename_session: { title: 'Title', source: 'host' },
  generate_session_title: { description: 'A description.' },
  side_question: { question: 'A question?' },
  mcp_message: {
    server_name: 'nobody',
    message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  },
  mcp_set_servers: { servers: {} },
  mcp_reconnect: { serverName: PROCESS_SERVER },
  mcp_toggle: { serverName: PROCESS_SERVER, enabled: true },
  mcp_read_resource: { serverName: PROCESS_SERVER, uri: RESOURCE_URI },
  mcp_call: { tool: PLAIN_TOOL, arguments: {} },
  mcp_tools: { server_name: PROCESS_SERVER },
  mcp_disable: { server_name: PROCESS_SERVER },
  mcp_enable: { server_name: PROCESS_SERVER },
  agent_run_to_background: { target_id: 'nobody' },
  set_mcp_permission_mode_override: { serverName: PROCESS_SERVER, mode: 'default' },
  stop_task: { task_id: 'nobody' },
  apply_flag_settings: { settings: {} },
  update_settings: { source: 'userSettings', settings: { effortLevel: 'low' } },
  rewind_files: { user_message_id: FIRST_MESSAGE },
  read_file: { path: 'a.txt' },
  seed_read_state: { path: 'a.txt', mtime: 1 },
  file_suggestions: { query: '' },
  register_repo_root: { directory: 'sub' },
};
