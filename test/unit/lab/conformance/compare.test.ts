import { expect, test } from 'vitest';
import { compareWithRecord } from '../../../../src/lab/conformance/compare.js';
import type { ProbeReport } from '../../../../src/lab/conformance/run.js';

const report: ProbeReport = {
  cli: 'x',
  version: '2.1.326',
  verdicts: [
    { id: 'envelope:plain-ack', verdict: 'pass' },
    { id: 'envelope:one-answer', verdict: 'fail', detail: 'twice' },
  ],
  shapes: { same: { a: 'string' }, other: { a: 'string' }, added: 'string' },
};

test('different verdicts and shapes are named, equal ones are not', () => {
  const record = {
    version: '2.1.326',
    verdicts: { 'envelope:plain-ack': 'pass', 'envelope:one-answer': 'pass' },
    shapes: { same: { a: 'string' }, other: { a: 'number' }, gone: 'string' },
  } as const;
  expect(compareWithRecord(report, record)).toEqual([
    { what: 'envelope:one-answer', recorded: 'pass', found: 'fail twice' },
    { what: 'shape: added', recorded: 'nothing', found: 'a shape' },
    { what: 'shape: gone', recorded: 'a shape', found: 'nothing' },
    { what: 'shape: other', recorded: 'another shape', found: 'a' },
  ]);
});
