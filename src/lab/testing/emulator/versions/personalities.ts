import type { Personality } from '../requests/request-handler.js';
import { cli2073 } from './cli-2-0-73.js';
import { cli2117 } from './cli-2-1-17.js';
import { cli21325 } from './cli-2-1-325.js';
import type { EmulatedVersion } from './traits.js';

/** Every CLI version that the emulator can play. */
export const personalities: Readonly<Record<EmulatedVersion, Personality>> = {
  '2.0.73': cli2073,
  '2.1.17': cli2117,
  '2.1.325': cli21325,
};
