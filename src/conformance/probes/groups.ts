import type { ProbeGroup } from '../probe.js';
import { envelope, envelopeInTurn, unopened } from './envelope.js';

/** All probes, in groups that share a started CLI. */
export const probeGroups: readonly ProbeGroup[] = [unopened, envelope, envelopeInTurn];
