import { expect, test } from 'vitest';
import { jsonReport, markdownReport } from '../../../../src/lab/conformance/report.js';
import type { ProbeReport } from '../../../../src/lab/conformance/run.js';

const report: ProbeReport = {
  cli: '/bin/claude',
  version: '2.1.326',
  verdicts: [
    { id: 'envelope:plain-ack', verdict: 'pass' },
    { id: 'envelope:one-answer', verdict: 'fail', detail: 'two | answers\ncame' },
  ],
  shapes: { 'answer x': 'string' },
};

test('the JSON has the CLI, its version and one verdict per requirement', () => {
  expect(JSON.parse(jsonReport(report))).toEqual({
    schema: 1,
    cli: '/bin/claude',
    version: '2.1.326',
    verdicts: [
      { id: 'envelope:plain-ack', verdict: 'pass' },
      { id: 'envelope:one-answer', verdict: 'fail', detail: 'two | answers\ncame' },
    ],
  });
});

test('the page has the counts, unexpected verdicts, and one row per requirement', () => {
  const page = markdownReport(report);
  expect(page).toContain('# /bin/claude\n\nVersion: 2.1.326. 1 pass, 1 fail.');
  expect(page).toContain('Other than known of 2.1.326:');
  expect(page).toContain('| `envelope:one-answer` | pass | fail |');
  expect(page).toContain('| fail | two \\| answers came |');
});

test('the page of a CLI without unexpected verdicts says so', () => {
  const known = { ...report, verdicts: report.verdicts.slice(0, 1) };
  expect(markdownReport(known)).toContain('All verdicts match the known ones of 2.1.326.');
  expect(markdownReport({ ...known, version: null })).toContain('there is nothing to compare it with');
});
