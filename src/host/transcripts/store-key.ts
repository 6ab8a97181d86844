import { resolve } from 'node:path';
import { projectKeyOf } from './places.js';
import type { SessionKey } from './store.js';
import type { SessionPlace } from './transcript-types.js';

/** The project that a session belongs to in a store: that of `dir`, or of the folder this process works in. */
export function projectKeyIn({ dir }: Pick<SessionPlace, 'dir'>): string {
  return projectKeyOf(resolve(dir ?? '.'));
}

/** The key of a transcript in a store. */
export function keyIn(place: Pick<SessionPlace, 'dir'>, sessionId: string, subpath?: string): SessionKey {
  return { projectKey: projectKeyIn(place), sessionId, ...(subpath === undefined ? {} : { subpath }) };
}
