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

/**
 * Probes that may share one running CLI; after a probe that ended or broke it, the next one gets a new CLI.
 */
export interface ProbeGroup {
  readonly name: string;
  readonly start?: Start;
  /** The content of the handshake; false leaves it to the probes. */
  readonly initialize?: WireObject | false;
  /** Whether additional CLIs that probes start share the home and folder of the first one. */
  readonly shared?: boolean;
  /** Whether each probe gets its own CLI. */
  readonly apart?: boolean;
  readonly probes: readonly Probe[];
}

/** Defines a probe; the compiler checks that it judges exactly the requirements that it cites. */
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
