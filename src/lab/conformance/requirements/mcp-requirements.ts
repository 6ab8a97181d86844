import type { Requirements } from '../requirement.js';

/** MCP servers in the host, and those in separate processes. */
export const mcpRequirements = {
  'mcp:greeting-order': {
    behaviour:
      'An in-process server gets `initialize`, `notifications/initialized` and `tools/list`, in this order.',
  },
  'mcp:greeted-at-start': {
    behaviour: 'A command-line server is initialised immediately, without any handshake from the host.',
  },
  'mcp:greeted-at-handshake': {
    behaviour: 'A server that only the handshake names is initialised before the first user message.',
  },
  'mcp:named-twice': {
    behaviour: 'A server that the command line and an immediate handshake both name is initialised once.',
  },
  'mcp:name-is-key': {
    behaviour: 'A server is addressed by its key in the configuration, not by its `name`.',
  },
  'mcp:old-protocol': {
    behaviour: 'A server may answer with the protocol version 2024-11-05.',
  },
  'mcp:tools-named': {
    behaviour: '`system/init` lists the tools of servers as `mcp__<server>__<tool>`.',
  },
  'mcp:tool-call': {
    behaviour: 'A tool call reaches the server with its arguments and the id of the call.',
  },
  'mcp:tool-result': {
    behaviour: 'The server’s answer becomes the result of the call.',
  },
  'mcp:tool-error': {
    behaviour: 'A JSON-RPC error makes the result of the call an error.',
  },
  'mcp:tool-is-error': {
    behaviour: 'An answer with `isError` makes the result of the call an error.',
  },
  'mcp:no-resources': {
    behaviour: 'In-process servers are not asked for resources or prompts, even if they offer them.',
  },
  'mcp:greeting-error': {
    behaviour:
      'A server that answers `initialize` with an error is marked as failed, and the session continues.',
  },
  'mcp:tools-error': {
    behaviour: 'A server that cannot list its tools is connected without any.',
  },
  'mcp:notification-error': {
    behaviour: 'A server that answers a notification with an error is marked as failed.',
  },
  'mcp:notification-any-answer': {
    behaviour: 'Any success is accepted as the answer to a notification.',
  },
  'mcp:unanswered-greeting': {
    behaviour: 'A server that does not answer `initialize` delays the first turn.',
  },
  'mcp:unanswered-notification': {
    behaviour: 'A server that does not answer `notifications/initialized` delays the first turn.',
  },
  'mcp:timeout-variable': {
    behaviour: '`MCP_TIMEOUT` limits how long a silent server delays the first turn.',
  },
  'mcp:missing-name': {
    behaviour: 'An in-process server without a `name` is left out, and `system/init` says why.',
  },
  'mcp:missing-name-told': {
    behaviour: 'An in-process server without a `name` does not end the CLI silently with exit code 0.',
  },
  'mcp:interrupt': {
    behaviour: 'An interrupt sends the server `notifications/cancelled` and withdraws no request.',
  },
  'mcp:ping': {
    behaviour: 'A ping of the server is acknowledged, and answered by a message without a method.',
  },
  'mcp:roots-refused': {
    behaviour: 'A server that asks for roots is answered with the error -32601.',
  },
  'mcp:list-changed': {
    behaviour: 'A server that announces changed tools is asked for them again.',
  },
  'mcp:unknown-server': {
    behaviour: 'A message from a server that does not exist is acknowledged and dropped.',
  },
  'mcp-status:connected': {
    behaviour: 'The status lists an in-process server as connected once it is initialised.',
  },
  'mcp-status:tools': {
    behaviour: 'The status lists the tools of a server.',
  },
  'mcp-status:being-greeted': {
    behaviour: 'An in-process server that is still being initialised is missing from the status.',
  },
} as const satisfies Requirements;
