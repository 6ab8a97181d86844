import { factAt, isExactAt } from '../../host/cli/ledger/facts.js';
import { type Ledger, readLedger } from '../../host/cli/ledger/ledger.js';
import type { RequirementId } from './requirements/requirements.js';
import type { ProbeReport } from './run.js';
import { verdicts as allVerdicts, type Verdict } from './verdict.js';

/** What the ledger has for a requirement on a version; undefined where it has nothing. */
export function expectedVerdict(
  id: RequirementId,
  version: string,
  ledger: Ledger = readLedger(),
): Verdict | undefined {
  const value = factAt(ledger, id, version);
  return allVerdicts.find((verdict) => verdict === value);
}

/** A verdict that is not what the ledger has for the version. */
export interface Surprise {
  /** The requirement. */
  readonly id: RequirementId;
  /** What was found. */
  readonly verdict: Verdict;
  /** What the ledger has. */
  readonly expected: Verdict;
  /** Whether the ledger is sure: the version was published when it was written, and the verdict holds still. */
  readonly certain: boolean;
}

/** Where a report differs from the ledger's entry for its version; none without a version. */
export function surprises(
  { version, verdicts }: ProbeReport,
  ledger: Ledger = readLedger(),
): readonly Surprise[] {
  if (version === null) return [];
  const isListed = ledger.published.includes(version);
  return verdicts.flatMap(({ id, verdict }) => {
    const expected = expectedVerdict(id, version, ledger);
    // What cannot be reached tells nothing.
    const told = [verdict, expected].every((each) => each !== undefined && each !== 'not-reachable');
    if (expected === undefined || !told || verdict === expected) return [];
    const certain = isListed && isExactAt(ledger, id, version) && !Object.hasOwn(ledger.unsteady, id);
    return [{ id, verdict, expected, certain }];
  });
}
