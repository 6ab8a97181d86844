import { spanOf } from '../../host/cli/known-facts.js';

/**
 * The parts of the official SDK that are not covered, each with the reason. Everything else that it declares is covered.
 * The reference page is generated from this.
 */
export const notOffered = {
  exports: {
    DirectConnectTransport:
      'it reaches sessions on other machines. Use a console server and coxswain/remote.',
    DirectConnectError: 'it reports errors of sessions on other machines.',
    parseDirectConnectUrl: 'it reads addresses of sessions on other machines.',
    FileIndex: 'it is undeclared and belongs to a user interface.',
    CommandMatcher: 'it is undeclared and belongs to a user interface.',
  },
  /** Other entry points of the official package, of this version or an earlier one. */
  entries: {
    '/bridge': 'it connects to the vendor’s cloud, which uses a protocol that only the vendor serves.',
    '/browser': 'it talks to the vendor’s servers. For your own page, use coxswain/remote.',
    '/embed':
      'it was the path of the binary inside a program compiled with Bun, and would need the vendor’s binary. Set pathToClaudeCodeExecutable to a path on disk.',
    '/extract': 'it unpacks the vendor’s binary.',
  },
  /** The preview of another interface, from version 0.1.54 on; the newest version no longer has it. */
  preview: {
    unstable_v2_createSession: 'use openSession() of the main entry point, or query() with a stream.',
    unstable_v2_resumeSession: 'use openSession({ resume }), or query() with the option resume.',
    unstable_v2_prompt: 'use query() with a text, and its result.',
    SDKSession: 'it is the type of such a session.',
    SDKSessionOptions: 'it is the type of such a session’s options.',
  },
  options: {},
  methods: {},
} as const;

/** Other entry points of the official package, and ours in their place. */
export const offeredEntries = {
  '/core': '/core',
  '/sdk-tools': '/sdk-tools',
  '/sdk-tools.js': '/sdk-tools',
} as const;

/** Parameters of `query` and `startup` that the official SDK does not have. */
export const ownParams = {
  record: 'Records all traffic to this file or writer, with secrets removed.',
} as const;

/** Methods that promise more than some CLIs do, with the official SDK as with this one. */
export const methodNotes = {
  toggleMcpServer: `resolves on every CLI that knows the request, but only ${spanOf('switchesServers').inWords} keeps the model from calling a disabled server. Others write it to the settings, for later sessions. As in the original; \`session.mcp.disable()\` of the main entry point refuses there.`,
} as const;
