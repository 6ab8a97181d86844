import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../../../src/host/cli/ledger/ledger.js';
import { expectedVerdict, surprises } from '../../../../src/lab/conformance/expected.js';
import type { ProbeReport } from '../../../../src/lab/conformance/run.js';
import type { Verdict } from '../../../../src/lab/conformance/verdict.js';

const id = 'envelope:unknown-subtype';

function ledgerWith(fact: string, unsteady = {}): Ledger {
  return { published: ['2.1.1', '2.1.2', '2.1.3'], probed: [], looked: [], facts: { [id]: fact }, unsteady };
}

function reportOf(version: string | null, verdict: Verdict): ProbeReport {
  return { cli: 'x', version, verdicts: [{ id, verdict }], shapes: {} };
}

test('the expectation is the ledger’s entry for the version', () => {
  const ledger = ledgerWith('2.1.1 silent, 2.1.3 pass');
  const versions = ['2.1.0', '2.1.1', '2.1.2', '2.1.3', '9.0.0'];
  expect(versions.map((version) => expectedVerdict(id, version, ledger))).toEqual([
    undefined,
    'silent',
    'silent',
    'pass',
    'pass',
  ]);
});

describe('surprises', () => {
  const ledger = ledgerWith('2.1.1 silent, 2.1.3 pass');

  test('are verdicts that differ from the ledger’s for the version', () => {
    expect(surprises(reportOf('2.1.2', 'silent'), ledger)).toEqual([]);
    expect(surprises(reportOf('2.1.2', 'pass'), ledger)).toEqual([
      { id, verdict: 'pass', expected: 'silent', certain: true },
    ]);
  });

  test('are not certain on a newer version, in a gap, or if runs disagreed', () => {
    const gap = ledgerWith('2.1.1 silent, 2.1.3 pass after 2.1.1');
    const unsteady = ledgerWith('2.1.1 silent, 2.1.3 pass', { [id]: '2.1.3' });
    for (const found of [
      surprises(reportOf('2.1.4', 'fail'), ledger),
      surprises(reportOf('2.1.2', 'pass'), gap),
      surprises(reportOf('2.1.2', 'pass'), unsteady),
    ]) {
      expect(found).toMatchObject([{ certain: false }]);
    }
  });

  test('do not include what cannot be reached, or a CLI without a version', () => {
    expect(surprises(reportOf('2.1.3', 'not-reachable'), ledger)).toEqual([]);
    expect(surprises(reportOf(null, 'fail'), ledger)).toEqual([]);
  });
});
