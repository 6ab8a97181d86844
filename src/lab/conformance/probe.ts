import type { WireObject } from '../../wire/protocol/frames.js';
import type { RequirementId } from './requirements/requirements.js';
import type { Stage } from './stage.js';
import type { Start } from './subject.js';
import type { Finding } from './verdict.js';

/** Tries something on a CLI and judges the requirements that it cites. */
export interface Probe {
  readonly cites: readonly RequirementId[];
  readonly run: (stage: Stage) => Promise<Readonly<Record<string, Finding>>>;
}

/** Probes that may share one started CLI; after one that ended or spoilt it the next gets a new one. */
export interface ProbeGroup {
  readonly name: string;
  readonly start?: Start;
  /** What the handshake carries; false leaves it to the probes. */
  readonly initialize?: WireObject | false;
  /** Whether CLIs that probes start beside the first one share its home and folder. */
  readonly shared?: boolean;
  /** Whether each probe gets a CLI of its own. */
  readonly apart?: boolean;
  readonly probes: readonly Probe[];
}

/** Writes a probe down; the compiler sees to it that each cited requirement is judged, and no other. */
export function probe<const Id extends RequirementId>(
  cites: readonly Id[],
  run: (stage: Stage) => Promise<Readonly<Record<Id, Finding>>>,
): Probe {
  return { cites, run };
}

/** A probe of one requirement. */
export function probeOne<const Id extends RequirementId>(
  id: Id,
  run: (stage: Stage) => Promise<Finding>,
): Probe {
  return { cites: [id], run: async (stage) => ({ [id]: await run(stage) }) };
}
