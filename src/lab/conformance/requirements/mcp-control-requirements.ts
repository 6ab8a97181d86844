import { OLD_FAIL, OLD_SILENT, OLD_UNSUPPORTED, OLDEST_FAILS, type Requirements } from '../requirement.js';

/** MCP servers that are set, reconnected, switched and called by requests, and what they ask the user. */
export const mcpControlRequirements = {
  'mcp-set:process': {
    behaviour: '`mcp_set_servers` connects a server on stdio and names it as added.',
  },
  'mcp-set:failed': {
    behaviour: 'A server that cannot be started is named as added, and its error is told.',
  },
  'mcp-set:in-process': {
    behaviour: '`mcp_set_servers` takes an in-process server and greets it.',
    except: OLDEST_FAILS,
  },
  'mcp-set:replaces-its-own': {
    behaviour: '`mcp_set_servers` removes servers that were set by it before.',
  },
  'mcp-set:again': {
    behaviour: 'A server that one set leaves out is connected again when the next one names it.',
  },
  'mcp-set:resources': {
    behaviour: 'A server on stdio that was set brings the tools for its resources into the next turn.',
    except: OLD_FAIL,
  },
  'mcp-set:keeps-processes': {
    behaviour: '`mcp_set_servers` keeps the servers on stdio of the command line.',
  },
  'mcp-set:keeps-in-process': {
    behaviour: '`mcp_set_servers` keeps the in-process servers of the command line.',
    except: { '2.1.17': 'fail', '2.1.325': 'fail' },
  },
  'mcp-set:without-servers': {
    behaviour: '`mcp_set_servers` without `servers` is refused.',
    except: OLD_FAIL,
  },
  'mcp-reconnect:wrong-field': {
    behaviour: '`mcp_reconnect` with `server_name` in place of `serverName` is refused.',
    except: { '2.0.73': 'silent' },
  },
  'mcp-reconnect:command-line': {
    behaviour: '`mcp_reconnect` finds servers of the command line.',
    except: { '2.0.73': 'silent', '2.1.17': 'fail' },
  },
  'mcp-reconnect:in-process': {
    behaviour: '`mcp_reconnect` connects an in-process server anew.',
    except: { '2.0.73': 'silent', '2.1.17': 'fail', '2.1.325': 'fail' },
  },
  'mcp-toggle:status': {
    behaviour: 'A server that `mcp_toggle` switches off is disabled in the status.',
    except: { '2.0.73': 'silent', '2.1.17': 'fail' },
  },
  'mcp-toggle:greeted-again': {
    behaviour: 'An in-process server that is switched on again is greeted again.',
    except: { '2.0.73': 'silent', '2.1.17': 'fail' },
  },
  'elicitation:form': {
    behaviour: 'A form of a server on stdio is sent to the host, and the answer reaches the server.',
    except: OLD_UNSUPPORTED,
  },
  'elicitation:decline': {
    behaviour: 'A declined form is declined at the server.',
    except: OLD_UNSUPPORTED,
  },
  'elicitation:error-answer': {
    behaviour: 'An error answer to a form cancels it at the server.',
    except: OLD_UNSUPPORTED,
  },
  'elicitation:interrupt': {
    behaviour: 'An interrupt withdraws an open form.',
    except: OLD_UNSUPPORTED,
  },
  'mcp-call:process': {
    behaviour: '`mcp_call` calls a tool of a server on stdio without the model.',
    except: OLD_SILENT,
  },
  'mcp-call:in-process': {
    behaviour: '`mcp_call` calls a tool of an in-process server.',
    except: { ...OLD_SILENT, '2.1.325': 'fail' },
  },
} as const satisfies Requirements;
