// All that the program gets of "the SDK": our own door. In a project of your own this is `export * from 'coxswain/compat'`.
// biome-ignore lint/performance/noReExportAll: the program must get every name.
export * from '../../../dist/compat.js';
