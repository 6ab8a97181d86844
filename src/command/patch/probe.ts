import type { Session } from '../../host/session/session.js';
import type { ProbeRig } from './probe-rig.js';

/** What a probe works with. */
export interface ProbeStage {
  readonly rig: ProbeRig;
  readonly session: Session;
  /** What the patch reported when it was applied. */
  readonly details: readonly string[];
}

/** Tries one patch on a running copy. */
export interface PatchProbe {
  readonly patch: string;
  readonly what: string;
  /** Resolves to the observation; throws if it is not what the patch promises. */
  run(stage: ProbeStage): Promise<string>;
}

/** Fails a probe unless a condition holds. */
export function check(holds: boolean, seen: string): string {
  if (!holds) throw new Error(seen);
  return seen;
}
