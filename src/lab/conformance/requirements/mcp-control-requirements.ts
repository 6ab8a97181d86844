import type { Requirements } from '../requirement.js';

/** MCP servers that requests set, reconnect, toggle and call, and what they ask the user. */
export const mcpControlRequirements = {
  'mcp-set:process': {
    behaviour: '`mcp_set_servers` connects a stdio server and lists it as added.',
  },
  'mcp-set:failed': {
    behaviour: 'A server that cannot be started is listed as added, with its error.',
  },
  'mcp-set:in-process': {
    behaviour: '`mcp_set_servers` accepts an in-process server and initialises it.',
  },
  'mcp-set:replaces-its-own': {
    behaviour: '`mcp_set_servers` removes servers that an earlier one set.',
  },
  'mcp-set:again': {
    behaviour: 'A server that one set leaves out is reconnected when the next one includes it.',
  },
  'mcp-set:resources': {
    behaviour: 'A stdio server that was set adds the tools for its resources to the next turn.',
  },
  'mcp-set:keeps-processes': {
    behaviour: '`mcp_set_servers` keeps the stdio servers of the command line.',
  },
  'mcp-set:keeps-in-process': {
    behaviour: '`mcp_set_servers` keeps the in-process servers of the command line.',
  },
  'mcp-set:takes-over': {
    behaviour:
      '`mcp_set_servers` replaces a command-line server with the same name, and the next set without it drops it.',
  },
  'mcp-set:without-servers': {
    behaviour: '`mcp_set_servers` without `servers` is refused.',
  },
  'mcp-reconnect:wrong-field': {
    behaviour: '`mcp_reconnect` with `server_name` instead of `serverName` is refused.',
  },
  'mcp-reconnect:command-line': {
    behaviour: '`mcp_reconnect` finds servers of the command line.',
  },
  'mcp-reconnect:in-process': {
    behaviour: '`mcp_reconnect` reconnects an in-process server.',
  },
  'mcp-toggle:status': {
    behaviour: 'A server that `mcp_toggle` disables is shown as disabled in the status.',
  },
  'mcp-toggle:greeted-again': {
    behaviour: 'An in-process server that is enabled again is initialised again.',
  },
  'mcp-toggle:stops-calls': {
    behaviour:
      'A command-line server that `mcp_toggle` disables is not called until it is enabled again, even if it was reconnected before.',
  },
  'mcp-toggle:while-connecting': {
    behaviour: 'A server that is disabled while it connects stays disabled.',
  },
  'elicitation:form': {
    behaviour: 'A form from a stdio server is sent to the host, and the answer reaches the server.',
  },
  'elicitation:decline': {
    behaviour: 'A declined form is declined at the server.',
  },
  'elicitation:error-answer': {
    behaviour: 'An error answer to a form cancels it at the server.',
  },
  'elicitation:interrupt': {
    behaviour: 'An interrupt withdraws an open form.',
  },
  'mcp-call:process': {
    behaviour: '`mcp_call` calls a tool of a server on stdio without the model.',
  },
  'mcp-call:in-process': {
    behaviour: '`mcp_call` calls a tool of an in-process server.',
  },
} as const satisfies Requirements;
