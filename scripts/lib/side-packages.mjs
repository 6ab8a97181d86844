/** The folders with a lockfile of their own; all but the root are installed on demand. */
export const lockedFolders = ['.', 'tools', 'test/real-clis', 'test/nodes'];
