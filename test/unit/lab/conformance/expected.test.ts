import { describe, expect, test } from 'vitest';
import { expectedVerdict, spokesman, surprises } from '../../../../src/lab/conformance/expected.js';
import type { ProbeReport } from '../../../../src/lab/conformance/run.js';
import type { Verdict } from '../../../../src/lab/conformance/verdict.js';

function reportOf(version: string | null, verdict: Verdict): ProbeReport {
  return { cli: 'x', version, verdicts: [{ id: 'envelope:unknown-subtype', verdict }], shapes: {} };
}

test.each([
  ['2.1.17', '2.1.17'],
  ['2.1.100', '2.1.17'],
  ['9.0.0', '2.1.325'],
  ['1.0.0', '2.0.73'],
])('for %s speaks %s', (version, known) => {
  expect(spokesman(version)).toBe(known);
});

test('a requirement passes where nothing else is said', () => {
  expect(expectedVerdict('envelope:unknown-subtype', '2.1.17')).toBe('silent');
  expect(expectedVerdict('envelope:unknown-subtype', '2.1.325')).toBe('pass');
});

describe('surprises', () => {
  test('are verdicts that are not known of the version', () => {
    expect(surprises(reportOf('2.1.17', 'silent'))).toEqual([]);
    expect(surprises(reportOf('2.1.17', 'pass'))).toEqual([
      { id: 'envelope:unknown-subtype', verdict: 'pass', expected: 'silent', worse: false },
    ]);
  });

  test('are worse where something passed before', () => {
    expect(surprises(reportOf('2.1.325', 'fail'))).toMatchObject([{ expected: 'pass', worse: true }]);
  });

  test('are not made of what cannot be reached, nor of a CLI without a version', () => {
    expect(surprises(reportOf('2.1.325', 'not-reachable'))).toEqual([]);
    expect(surprises(reportOf(null, 'fail'))).toEqual([]);
  });
});
