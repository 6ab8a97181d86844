/**
 * What of the official SDK is not offered, each with the reason; everything else that it declares is. The page of
 * reference is made from this.
 */
export const notOffered = {
  exports: {
    prewarm: 'it parks a process in a way that only the bundled binary knows. Use startup().',
    DirectConnectTransport:
      'it reaches sessions on other machines. Use a console server and coxswain/remote.',
    DirectConnectError: 'it tells of sessions on other machines.',
    parseDirectConnectUrl: 'it reads addresses of sessions on other machines.',
    FileIndex: 'it is undeclared, and belongs to a user interface.',
    CommandMatcher: 'it is undeclared, and belongs to a user interface.',
  },
  /** Other entry points of the official package. */
  entries: {
    '/bridge': 'it attaches to the vendor’s cloud.',
    '/browser': 'it speaks to the vendor’s servers. For a page of your own there is coxswain/remote.',
    '/core': 'it has the same names as the main entry point. Import coxswain/compat.',
    '/sdk-tools':
      'it declares the inputs and outputs of the CLI’s own tools, which change with every version.',
    '/extract': 'it unpacks the vendor’s binary.',
  },
  options: {},
  methods: {},
} as const;

/** Options that are our own, beside those of the official SDK. */
export const ownOptions = {
  record: 'Writes everything that passes to this file or writer, secrets taken out.',
} as const;
