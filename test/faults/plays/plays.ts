import type { Play } from '../stage.js';
import { callbackPlays } from './callbacks.js';
import { callPlays } from './calls.js';
import { clockPlays } from './clock.js';
import { handshakePlays } from './handshake.js';
import { ownerPlays } from './owner.js';
import { recordingPlays } from './recording.js';
import { reopeningPlays } from './reopening.js';
import { toolPlays } from './tools.js';
import { wirePlays } from './wire.js';

/** Every play by its name in the table. */
export const plays: Readonly<Record<string, Play>> = {
  ...handshakePlays,
  ...wirePlays,
  ...callPlays,
  ...callbackPlays,
  ...toolPlays,
  ...ownerPlays,
  ...clockPlays,
  ...recordingPlays,
  ...reopeningPlays,
};
