// All that the program gets of "the SDK": our own entry point. In your own project this is `export * from 'coxswain/compat'`.
// biome-ignore lint/performance/noReExportAll: the program must get every name.
export * from '../../../dist/compat.js';
