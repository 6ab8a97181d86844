/**
 * What of the official SDK is not offered, each with the reason; everything else that it declares is. The page of
 * reference is made from this.
 */
export const notOffered = {
  exports: {
    DirectConnectTransport:
      'it reaches sessions on other machines. Use a console server and coxswain/remote.',
    DirectConnectError: 'it tells of sessions on other machines.',
    parseDirectConnectUrl: 'it reads addresses of sessions on other machines.',
    FileIndex: 'it is undeclared, and belongs to a user interface.',
    CommandMatcher: 'it is undeclared, and belongs to a user interface.',
  },
  /** Other entry points of the official package, of this version or an earlier one. */
  entries: {
    '/bridge':
      'it attaches to the vendor’s cloud. It would need that service’s protocol, which only the vendor serves.',
    '/browser':
      'it talks to the vendor’s servers. For a page of your own use coxswain/remote; the same names would need a server that speaks that protocol.',
    '/core':
      'it has the names of the main entry point without its heavy imports. Import coxswain/compat: it loads those on demand.',
    '/embed':
      'it was the path of the binary inside a program compiled with Bun. Give pathToClaudeCodeExecutable a path on disk; offering it would need the vendor’s binary.',
    '/sdk-tools':
      'it declares the inputs and outputs of the CLI’s own tools, which change with every version.',
    '/extract': 'it unpacks the vendor’s binary.',
  },
  /** The preview of another interface, in versions from 0.1.54 on; gone from the newest. */
  preview: {
    unstable_v2_createSession:
      'use openSession() of the main entry point, or query() with a stream. Offering it would need a session with send() and stream() over one query: half a day of work.',
    unstable_v2_resumeSession: 'use openSession({ resume }), or query() with the option resume.',
    unstable_v2_prompt: 'use query() with a text, and its result.',
    SDKSession: 'it is the type of such a session.',
    SDKSessionOptions: 'it is the type of such a session’s options.',
  },
  options: {},
  methods: {},
} as const;

/** Parameters of `query` and `startup` that are our own, beside `prompt` and `options`. */
export const ownParams = {
  record: 'Writes everything that passes to this file or writer, secrets taken out.',
} as const;
