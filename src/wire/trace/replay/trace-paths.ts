import { homedir, tmpdir } from 'node:os';
import type { NormaliseOptions } from '../look/normalise.js';

/** The folders that a recording and a run have in different places, longest first. */
export function pathsFor(cwd: string | undefined): NonNullable<NormaliseOptions['paths']> {
  return { ...(cwd === undefined ? {} : { [cwd]: '<cwd>' }), [homedir()]: '<home>', [tmpdir()]: '<tmp>' };
}
