// The compared implementations. Each opens a session with the same few methods, and is loaded alone:
// `start` starts a turn, `more` one after which the session is used again.
import { compatModule, officialModule, openWith } from './query.mjs';

export const hosts = {
  raw: async () => (await import('./raw.mjs')).open,
  coxswain: async () => (await import('./ours.mjs')).open,
  compat: async () => openWith(compatModule),
  official: async () => openWith(officialModule),
};

/** The main modules, by implementation. */
export const modules = {
  coxswain: import.meta.resolve('coxswain'),
  compat: compatModule(),
  official: officialModule(),
};
