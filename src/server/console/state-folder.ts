import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where programs store persistent state, following the XDG convention. */
export function stateFolder({ XDG_STATE_HOME: given }: NodeJS.ProcessEnv): string {
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local', 'state');
  return join(base, 'coxswain', 'console');
}
