import type { VersionRecord } from '../../../../../src/lab/conformance/ledger/version-record.js';
import type { Verdict } from '../../../../../src/lab/conformance/verdict.js';

/** The record of a version with one run for each list of verdicts; the first one is a full one. */
export function recordOf(
  version: string,
  runs: readonly Readonly<Record<string, Verdict>>[],
  more: Partial<VersionRecord> = {},
): VersionRecord {
  return {
    version,
    sha256: '',
    named: [],
    listed: [],
    taken: [],
    refused: [],
    seen: [],
    runs: runs.map((verdicts, at) => ({ full: at === 0, seconds: 1, verdicts, details: {} })),
    ...more,
  };
}

/** A record of a version that was not probed in full. */
export function partly(
  version: string,
  verdicts: Readonly<Record<string, Verdict>>,
  more: Partial<VersionRecord> = {},
): VersionRecord {
  return { ...recordOf(version, [], more), runs: [{ full: false, seconds: 1, verdicts, details: {} }] };
}
