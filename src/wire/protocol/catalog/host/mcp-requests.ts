import { describeHostRequests } from '../entries.js';

/** Requests about MCP servers. */
export const mcpRequests = describeHostRequests({
  mcp_status: {
    reach: 'offline',
    answer: 'value',
    about: 'Lists the MCP servers with their state.',
    caution: 'A server that died is still listed as connected, and one in its handshake may be missing.',
  },
  mcp_message: {
    reach: 'offline',
    answer: 'ack',
    about: 'Delivers a JSON-RPC message that an in-process server sends on its own.',
    caution: 'An unknown server name is acknowledged and the message dropped.',
  },
  mcp_set_servers: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 90_000,
    about: 'Replaces the servers that were added at run time; those from the command line stay.',
    caution:
      'Without `servers` the process of 2.0.73 and 2.1.17 dies. 2.0.73 cannot connect in-process servers this way. ' +
      'A server that failed is still listed as added: read `errors`. Since 2.1.17 in-process servers belong to the set ' +
      'however they were set: include them again, or they are removed. 2.1.326 lets a set replace a server of the command ' +
      'line, older ones run it twice.',
  },
  mcp_reconnect: {
    reach: 'offline',
    answer: 'ack',
    deadlineMs: 90_000,
    about: 'Reconnects a server.',
    caution: '2.1.17 finds only servers from settings files; in-process servers are refused.',
  },
  mcp_toggle: {
    reach: 'offline',
    answer: 'ack',
    deadlineMs: 90_000,
    about: 'Disables or enables a server, and remembers it for the project.',
    caution: '2.1.17 finds only servers from settings files, and its status list does not show the change.',
  },
  mcp_read_resource: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 90_000,
    about: 'Reads a user-interface resource of a connected server.',
    caution: 'Only `ui://` addresses are served.',
  },
  mcp_call: {
    reach: 'offline',
    answer: 'value',
    deadlineMs: 130_000,
    about: 'Calls a tool of a connected server without the model.',
    caution: 'In-process servers are refused. The deadline must exceed `timeout_ms` if that is given.',
  },
  set_mcp_permission_mode_override: {
    reach: 'offline',
    answer: 'value',
    about: 'Sets a stricter permission mode for one server.',
    caution: 'A name that is not connected yet is accepted with a warning.',
  },
  channel_enable: {
    reach: 'account',
    answer: 'value',
    about: 'Lets a connected server push messages into the conversation.',
  },
  mcp_authenticate: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Starts a sign-in to a server that requires it.',
  },
  mcp_clear_auth: {
    reach: 'account',
    answer: 'value',
    about: 'Deletes the stored sign-in of a server.',
  },
  mcp_oauth_callback_url: {
    reach: 'account',
    answer: 'value',
    deadlineMs: 60_000,
    about: 'Passes the callback address of a server sign-in.',
  },
});
