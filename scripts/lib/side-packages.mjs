/** The folders with their own lockfile; all except the root are installed on demand. */
export const lockedFolders = [
  '.',
  'tools',
  'site',
  'test/real-clis',
  'test/peers',
  'test/acp',
  'test/programs',
  'test/bundlers',
  'test/clients',
  'test/nodes',
  'test/runtimes',
  'test/projects/today',
  'test/projects/before',
];

/** Folders whose optional packages are programs that nothing here runs. */
export const withoutOptional = ['test/peers'];
