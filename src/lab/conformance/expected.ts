import { nearestProbedVersion } from '../../wire/protocol/catalog/catalog.js';
import { type ProbedVersion, probedVersions } from '../../wire/protocol/catalog/entries.js';
import { type RequirementId, requirements } from './requirements/requirements.js';
import type { ProbeReport } from './run.js';
import type { Verdict } from './verdict.js';

/** The probed version that speaks for a CLI: its own, the nearest below it, or the oldest of all. */
export function spokesman(version: string): ProbedVersion {
  return nearestProbedVersion(version) ?? probedVersions[0];
}

/** What is known to come of a requirement on a probed version. */
export function expectedVerdict(id: RequirementId, version: ProbedVersion): Verdict {
  return requirements[id].except?.[version] ?? 'pass';
}

/** A verdict that is not what was expected. */
export interface Surprise {
  readonly id: RequirementId;
  readonly verdict: Verdict;
  readonly expected: Verdict;
  /** Whether something that is known to work does not. */
  readonly worse: boolean;
}

/** Where a report differs from what is known of its version, or of the nearest one below; none without a version. */
export function surprises({ version, verdicts }: ProbeReport): readonly Surprise[] {
  if (version === null) return [];
  const known = spokesman(version);
  return verdicts.flatMap(({ id, verdict }) => {
    const expected = expectedVerdict(id, known);
    // What cannot be reached tells nothing.
    if (verdict === expected || verdict === 'not-reachable') return [];
    return [{ id, verdict, expected, worse: expected === 'pass' }];
  });
}
