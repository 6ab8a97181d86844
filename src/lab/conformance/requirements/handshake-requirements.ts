import type { Requirements } from '../requirement.js';

/** The handshake and its order. */
export const handshakeRequirements = {
  'handshake:silent-start': {
    behaviour: 'Nothing is printed before the host sends something.',
  },
  'handshake:five-keys': {
    behaviour:
      'The answer to `initialize` has commands, models, the account, the output style and the available styles.',
  },
  'handshake:no-session-id': {
    behaviour: 'The answer to `initialize` does not contain the session id.',
  },
  'handshake:tells-about-itself': {
    behaviour: 'The answer to `initialize` contains the version, the process id and the permission mode.',
  },
  'handshake:pending-beside': {
    behaviour: 'Open prompts are listed next to the value of the answer to `initialize`.',
  },
  'handshake:optional': {
    behaviour: 'A user message starts a turn without any handshake.',
  },
  'handshake:after-message': {
    behaviour: 'An `initialize` that follows a user message is served.',
  },
  'handshake:again': {
    behaviour: 'A second `initialize` is served.',
  },
  'handshake:again-lists-prompts': {
    behaviour: 'The answer to a second `initialize` lists the open prompts as whole frames.',
  },
  'handshake:init-after-message': {
    behaviour: '`system/init` comes only after the first user message.',
  },
  'handshake:init-each-turn': {
    behaviour: '`system/init` comes again at each turn.',
  },
  'handshake:session-id-flag': {
    behaviour: 'The session has the id from `--session-id`.',
  },
  'handshake:agents': {
    behaviour: 'Agents of the handshake are listed in `system/init`.',
  },
  'handshake:agents-answered': {
    behaviour: 'Agents of the handshake are listed in its answer.',
  },
  'handshake:odd-agents': {
    behaviour: 'Malformed agents are ignored without an error.',
  },
  'handshake:mcp-servers-ignored': {
    behaviour: 'The field `mcpServers` of `initialize` is ignored.',
  },
  'handshake:unknown-event': {
    behaviour: 'A hook for an event that does not exist is accepted.',
  },
  'handshake:bad-hooks': {
    behaviour: 'Malformed hooks are refused, and the session stays usable.',
  },
  'handshake:before-in-process-servers': {
    behaviour: '`initialize` is answered while in-process servers are still being initialised.',
  },
  'handshake:before-process-servers': {
    behaviour: '`initialize` is answered while MCP servers on stdio are still connecting.',
  },
  'handshake:system-prompt': {
    behaviour: 'A `systemPrompt` replaces the default one.',
  },
  'handshake:empty-system-prompt': {
    behaviour: 'An empty `systemPrompt` removes the default one.',
  },
  'handshake:system-prompt-list': {
    behaviour: 'A `systemPrompt` may be a list of strings.',
  },
  'handshake:append-system-prompt': {
    behaviour: 'An `appendSystemPrompt` is appended to the default one.',
  },
  'handshake:skills': {
    behaviour: 'With `skills` the model is told only about these.',
  },
  'handshake:title': {
    behaviour: 'A `title` becomes the title of the conversation on disk.',
  },
  'handshake:json-schema': {
    behaviour: 'With a `jsonSchema` the result has the model’s output as `structured_output`.',
  },
} as const satisfies Requirements;
