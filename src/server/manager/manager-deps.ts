import type { Surroundings } from './conversations/surroundings.js';

/** The dependencies of a manager; tests pass their own. */
export type ManagerDeps = Pick<Surroundings, 'clock' | 'now' | 'random' | 'makeUuid' | 'startSession'>;
