import { fileURLToPath } from 'node:url';
import type { EmulatedVersion } from '../versions/traits.js';

/**
 * The path of the emulated CLI as a program, to be given to an SDK in place of `claude`; Node runs it. With a
 * version it plays that one also when it is asked for its version; without, `COXSWAIN_PERSONALITY` decides.
 */
export function emulatorProgram(version?: EmulatedVersion): string {
  const name = version === undefined ? 'main' : `claude-${version.replaceAll('.', '-')}`;
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}
