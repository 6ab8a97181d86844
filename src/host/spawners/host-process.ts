import type { Spawner } from '../cli/spawner.js';

/** A process of this user on this machine, as without a spawner, but with the environment of a sandbox. */
export function hostProcess(): Spawner {
  return {
    name: 'process',
    hasOwnPrograms: false,
    hasOwnFolders: false,
    prepare: async ({ file, args, env, cwd }) => ({ file, args, env, cwd }),
  };
}
