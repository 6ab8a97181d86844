import { factAt, isExactAt } from '../../host/cli/ledger/facts.js';
import { type Ledger, readLedger } from '../../host/cli/ledger/ledger.js';
import type { RequirementId } from './requirements/requirements.js';
import type { ProbeReport } from './run.js';
import { verdicts as allVerdicts, type Verdict } from './verdict.js';

/** The ledger's verdict for a requirement on a version; undefined if there is none. */
export function expectedVerdict(
  id: RequirementId,
  version: string,
  ledger: Ledger = readLedger(),
): Verdict | undefined {
  const value = factAt(ledger, id, version);
  return allVerdicts.find((verdict) => verdict === value);
}

/** A verdict that differs from the ledger's. */
export interface Surprise {
  /** The requirement. */
  readonly id: RequirementId;
  /** The verdict. */
  readonly verdict: Verdict;
  /** The ledger's verdict. */
  readonly expected: Verdict;
  /** Whether the ledger is certain: it covers the version, and the verdict was stable. */
  readonly certain: boolean;
}

/** Returns where a report differs from the ledger's entry for its version; none without a version. */
export function surprises(
  { version, verdicts }: ProbeReport,
  ledger: Ledger = readLedger(),
): readonly Surprise[] {
  if (version === null) return [];
  const isListed = ledger.published.includes(version);
  return verdicts.flatMap(({ id, verdict }) => {
    const expected = expectedVerdict(id, version, ledger);
    // What cannot be reached proves nothing.
    const told = [verdict, expected].every((each) => each !== undefined && each !== 'not-reachable');
    if (expected === undefined || !told || verdict === expected) return [];
    const certain = isListed && isExactAt(ledger, id, version) && !Object.hasOwn(ledger.unsteady, id);
    return [{ id, verdict, expected, certain }];
  });
}
