// The implementations that are compared. Each opens a session with the same few methods, and is loaded alone.
import { compatModule, officialModule, openWith } from './query.mjs';

export const hosts = {
  raw: async () => (await import('./raw.mjs')).open,
  coxswain: async () => (await import('./ours.mjs')).open,
  compat: async () => openWith(compatModule),
  official: async () => openWith(officialModule),
};

/** The main modules, by implementation. */
export const modules = {
  coxswain: new URL('../../dist/entry/sdk/index.js', import.meta.url).href,
  compat: compatModule(),
  official: officialModule(),
};
