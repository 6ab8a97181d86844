import type { Surroundings } from './conversations/surroundings.js';

/** What a manager works with; tests pass their own. */
export type ManagerDeps = Pick<Surroundings, 'clock' | 'now' | 'random' | 'makeUuid' | 'startSession'>;
