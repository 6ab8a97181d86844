import { expect, test } from 'vitest';
import {
  boundaryVisits,
  changedVisits,
  doubtfulVisits,
  requirementsFor,
  spread,
  untriedVisits,
  withoutDoubtful,
} from '../../../../../src/lab/conformance/ledger/plan.js';
import { timelinesOf } from '../../../../../src/lab/conformance/ledger/timelines.js';
import type { VersionRecord } from '../../../../../src/lab/conformance/ledger/version-record.js';
import { requirementIds } from '../../../../../src/lab/conformance/requirements/requirements.js';
import { partly, recordOf } from './support.js';

const published = Array.from({ length: 21 }, (_, at) => `2.1.${at}`);

const next = (records: readonly VersionRecord[]) => boundaryVisits(timelinesOf(records), published);
const doubts = (records: readonly VersionRecord[]) => doubtfulVisits(records, timelinesOf(records));

test('a spread includes both ends, and no gap wider than requested', () => {
  expect(spread(published, new Set(), 8)).toEqual(['2.1.0', '2.1.9', '2.1.18', '2.1.20']);
  expect(spread(published, new Set(['2.1.4', '2.1.20']), 8)).toEqual(['2.1.0', '2.1.13']);
});

test('a change is searched for in the middle, until its neighbours are known', () => {
  const [before, after] = [
    recordOf('2.1.0', [{ 'hook:ask': 'fail' }]),
    recordOf('2.1.20', [{ 'hook:ask': 'pass' }]),
  ];
  expect(next([before, after])).toEqual([{ version: '2.1.10', facts: new Set(['hook:ask']) }]);
  const looks = ['2.1.10', '2.1.5', '2.1.7'].map((version) => partly(version, { 'hook:ask': 'pass' }));
  expect(next([before, after, ...looks])).toMatchObject([{ version: '2.1.2' }]);
  const close = [partly('2.1.2', { 'hook:ask': 'fail' }), partly('2.1.3', { 'hook:ask': 'pass' })];
  expect(next([before, after, ...looks, ...close])).toEqual([]);
});

test('facts share the examined versions', () => {
  const before = recordOf('2.1.0', [{ 'hook:ask': 'fail', 'end:idle': 'fail' }], { refused: ['--effort'] });
  const after = recordOf('2.1.20', [{ 'hook:ask': 'pass', 'end:idle': 'pass' }], { taken: ['--effort'] });
  const [visit, ...others] = next([before, after]);
  expect(others).toEqual([]);
  expect(visit?.facts).toEqual(new Set(['hook:ask', 'end:idle', 'flag:--effort']));
  expect(requirementsFor(visit?.facts ?? new Set())).toEqual(new Set(['hook:ask', 'end:idle']));
});

test('changes with overlapping ranges share a version in the middle of both', () => {
  const all = (verdict: 'pass' | 'fail') => ({ 'hook:ask': verdict, 'end:idle': verdict });
  const records = [
    recordOf('2.1.0', [all('fail')]),
    partly('2.1.6', { 'end:idle': 'fail' }),
    recordOf('2.1.20', [all('pass')]),
  ];
  const [visit, ...others] = next(records);
  expect(others).toEqual([]);
  expect(visit?.facts).toEqual(new Set(['hook:ask', 'end:idle']));
});

test('a version that differs from both neighbours is probed again, and so are runs that disagree', () => {
  const around = ['2.1.0', '2.1.2'].map((version) => recordOf(version, [{ 'hook:ask': 'pass' }]));
  expect(doubts([...around, recordOf('2.1.1', [{ 'hook:ask': 'fail' }])])).toMatchObject([
    { version: '2.1.1' },
  ]);
  expect(doubts([...around, recordOf('2.1.1', [{ 'hook:ask': 'fail' }, { 'hook:ask': 'fail' }])])).toEqual(
    [],
  );
  const split = recordOf('2.1.1', [{ 'hook:ask': 'fail' }, { 'hook:ask': 'pass' }]);
  expect(doubts([...around, split])).toEqual([{ version: '2.1.1', facts: new Set(['hook:ask']) }]);
});

test('what differs from the version before is probed three times', () => {
  const before = recordOf('2.1.0', [{ 'hook:ask': 'pass', 'end:idle': 'pass' }]);
  const changed = (runs: number) => {
    const all = Array.from({ length: runs }, () => ({ 'hook:ask': 'fail', 'end:idle': 'pass' }) as const);
    const records = [before, recordOf('2.1.1', all)];
    return changedVisits(records, timelinesOf(records));
  };
  const visit = { version: '2.1.1', facts: new Set(['hook:ask']) };
  expect([changed(1), changed(2), changed(3)]).toEqual([[visit], [visit], []]);
});

test('a timeout is probed again if a neighbour differs', () => {
  const late = recordOf('2.1.1', [{ 'hook:ask': 'fail' }]);
  const details = { 'hook:ask': 'what was waited for did not come; got nothing' };
  const slow = { ...late, runs: late.runs.map((run) => ({ ...run, details })) };
  const before = recordOf('2.1.0', [{ 'hook:ask': 'pass' }]);
  expect(doubts([before, late])).toEqual([]);
  expect(doubts([before, slow])).toMatchObject([{ version: '2.1.1' }]);
});

test('an unstable requirement is not probed forever', () => {
  const runs = ['pass', 'fail', 'silent', 'pass', 'fail'] as const;
  expect(
    doubts([
      recordOf(
        '2.1.1',
        runs.map((verdict) => ({ 'hook:ask': verdict })),
      ),
    ]),
  ).toEqual([]);
});

test('requirements newer than a full run are tried on it, and only those', () => {
  const all = Object.fromEntries(requirementIds.map((id) => [id, 'pass' as const]));
  const { 'hook:ask': _newer, ...older } = all;
  const records = [
    recordOf('2.1.0', [all], { taken: ['--effort'] }),
    recordOf('2.1.1', [older], { refused: ['--effort'] }),
    recordOf('2.1.2', [older, { 'hook:ask': 'fail' }]),
    partly('2.1.3', { 'end:idle': 'pass' }),
  ];
  expect(untriedVisits(records, ['--effort'])).toEqual([
    { version: '2.1.1', facts: new Set(['hook:ask']) },
    { version: '2.1.2', facts: new Set(['flag:--effort']) },
  ]);
  const looked = [recordOf('2.1.0', [all], { fields: { title: true } }), recordOf('2.1.1', [all])];
  expect(untriedVisits(looked, [], ['title'])).toEqual([
    { version: '2.1.1', facts: new Set(['field:title']) },
  ]);
});

test('a verdict of only one run, against both neighbours, does not count', () => {
  const around = ['2.1.0', '2.1.2'].map((version) => recordOf(version, [{ 'hook:ask': 'pass' }]));
  const odd = recordOf('2.1.1', [{ 'hook:ask': 'fail', 'end:idle': 'pass' }]);
  const sure = recordOf('2.1.1', [{ 'hook:ask': 'fail' }, { 'hook:ask': 'fail' }]);
  const verdicts = (records: readonly VersionRecord[]) =>
    withoutDoubtful(records, timelinesOf(records)).map(({ runs }) => runs[0]?.verdicts);
  expect(verdicts([...around, odd])[2]).toEqual({ 'end:idle': 'pass' });
  expect(verdicts([...around, sure])[2]).toEqual({ 'hook:ask': 'fail' });
});
