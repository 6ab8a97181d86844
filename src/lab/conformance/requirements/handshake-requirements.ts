import { OLD_FAIL, OLDEST_FAILS, type Requirements } from '../requirement.js';

/** The handshake and its order. */
export const handshakeRequirements = {
  'handshake:silent-start': {
    behaviour: 'Nothing is printed before the host has sent something.',
    source: 'protocol.md §4',
  },
  'handshake:five-keys': {
    behaviour:
      'The answer to `initialize` has commands, models, the account, the output style and the available ones.',
    source: 'protocol.md §2.2',
  },
  'handshake:no-session-id': {
    behaviour: 'The answer to `initialize` does not tell the session id.',
    source: 'protocol.md §2.2',
  },
  'handshake:tells-about-itself': {
    behaviour: 'The answer to `initialize` tells the version, the process id and the permission mode.',
    source: 'protocol.md §2.2',
    except: OLD_FAIL,
  },
  'handshake:pending-beside': {
    behaviour: 'Open prompts are listed beside the value of the answer to `initialize`.',
    source: 'protocol.md §2.1',
    except: OLD_FAIL,
  },
  'handshake:optional': {
    behaviour: 'A user message starts a turn without any handshake.',
    source: 'protocol.md §2.1',
  },
  'handshake:after-message': {
    behaviour: 'An `initialize` that follows a user message is served.',
    source: 'protocol.md §2.1',
    except: OLD_FAIL,
  },
  'handshake:again': {
    behaviour: 'A second `initialize` is served.',
    source: 'protocol.md §1.1',
    except: OLD_FAIL,
  },
  'handshake:again-lists-prompts': {
    behaviour: 'The answer to a second `initialize` lists the open prompts as whole frames.',
    source: 'protocol.md §2.1',
    except: OLDEST_FAILS,
  },
  'handshake:init-after-message': {
    behaviour: '`system/init` comes only after the first user message.',
    source: 'protocol.md §1.2',
  },
  'handshake:init-each-turn': {
    behaviour: '`system/init` comes again at each turn.',
    source: 'protocol.md §1.2',
  },
  'handshake:session-id-flag': {
    behaviour: 'The session has the id that `--session-id` gives it.',
    source: 'protocol.md §2.2',
  },
  'handshake:agents': {
    behaviour: 'Agents of the handshake are listed in `system/init`.',
    source: 'protocol.md §2.2',
  },
  'handshake:agents-answered': {
    behaviour: 'Agents of the handshake are listed in its answer.',
    source: 'protocol.md §2.2',
    except: OLD_FAIL,
  },
  'handshake:odd-agents': {
    behaviour: 'Agents in a wrong form are ignored without an error.',
    source: 'protocol.md §2.2',
  },
  'handshake:mcp-servers-ignored': {
    behaviour: 'The field `mcpServers` of `initialize` is ignored.',
    source: 'protocol.md §2.2',
  },
  'handshake:unknown-event': {
    behaviour: 'A hook for an event that does not exist is accepted.',
    source: 'protocol.md §2.2',
  },
  'handshake:bad-hooks': {
    behaviour: 'Hooks in a wrong form are refused, and the session stays usable.',
    source: 'protocol.md §2.2',
    except: OLD_FAIL,
  },
  'handshake:before-in-process-servers': {
    behaviour: '`initialize` is answered while in-process servers are still being greeted.',
    source: 'protocol.md §1.2',
  },
  'handshake:before-process-servers': {
    behaviour: '`initialize` is answered while MCP servers on stdio are still connecting.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'handshake:system-prompt': {
    behaviour: 'A `systemPrompt` replaces the default one.',
    source: 'protocol.md §2.2',
  },
  'handshake:empty-system-prompt': {
    behaviour: 'An empty `systemPrompt` removes the default one.',
    source: 'protocol.md §2.2',
  },
  'handshake:system-prompt-list': {
    behaviour: 'A `systemPrompt` may be a list of texts.',
    source: 'protocol.md §2.2',
    except: OLD_FAIL,
  },
  'handshake:append-system-prompt': {
    behaviour: 'An `appendSystemPrompt` is added to the default one.',
    source: 'protocol.md §2.2',
  },
  'handshake:json-schema': {
    behaviour: 'With a `jsonSchema` the result has the output that the model gave as `structured_output`.',
    source: 'protocol.md §2.2',
  },
} as const satisfies Requirements;
