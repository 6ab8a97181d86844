import type { Play } from '../stage.js';
import { callPlays } from './calls.js';
import { handshakePlays } from './handshake.js';
import { wirePlays } from './wire.js';

/** Every play by its name in the table. */
export const plays: Readonly<Record<string, Play>> = { ...handshakePlays, ...wirePlays, ...callPlays };
