import { expect, test } from 'vitest';
import { compact, ledgerText } from '../../../../../src/lab/conformance/ledger/compact.js';
import { partly, recordOf } from './support.js';

const published = ['2.0.0', '2.0.1', '2.0.2', '2.0.3', '2.0.4'];

test('a change between neighbours is exact, one across a gap names the version before', () => {
  const records = [
    recordOf('2.0.4', [{ 'hook:ask': 'fail' }]),
    recordOf('2.0.0', [{ 'hook:ask': 'silent' }]),
    partly('2.0.1', { 'hook:ask': 'pass' }),
  ];
  const { facts, probed, looked } = compact(records, published);
  expect(facts['hook:ask']).toBe('2.0.0 silent, 2.0.1 pass, 2.0.4 fail after 2.0.1');
  expect([probed, looked]).toEqual([['2.0.0', '2.0.4'], ['2.0.1']]);
});

test('the majority of runs decides, and unstable results are marked', () => {
  const runs = ['pass', 'fail', 'pass'].map((verdict) => ({ 'hook:ask': verdict as 'pass' | 'fail' }));
  const { facts, unsteady } = compact([recordOf('2.0.0', runs)], published);
  expect(facts['hook:ask']).toBe('2.0.0 pass');
  expect(unsteady).toEqual({ 'hook:ask': '2.0.0' });
});

test('a race on one version is no change: the neighbours decide', () => {
  const around = ['2.0.0', '2.0.2'].map((version) => recordOf(version, [{ 'hook:ask': 'pass' }]));
  const runs = ['fail', 'pass', 'fail'].map((verdict) => ({ 'hook:ask': verdict as 'pass' | 'fail' }));
  const { facts, unsteady } = compact([...around, recordOf('2.0.1', runs)], published);
  expect(facts['hook:ask']).toBe('2.0.0 pass');
  expect(unsteady).toEqual({ 'hook:ask': '2.0.1' });
});

test('a look at some facts keeps what full runs saw, and the marks of other versions', () => {
  const seen = { named: ['system', 'status'], seen: ['message system/status'] };
  const runs = [{ 'hook:ask': 'pass' }, { 'hook:ask': 'fail' }, { 'hook:ask': 'pass' }] as const;
  const before = compact([recordOf('2.0.0', runs, seen), recordOf('2.0.2', [{}], seen)], published);
  const { named } = seen;
  const looks = [partly('2.0.0', { 'end:idle': 'pass' }, { named }), partly('2.0.2', {}, { named })];
  const shaky = recordOf('2.0.2', runs).runs.map((run) => ({ ...run, full: false }));
  const again = looks.map((look) => (look.version === '2.0.2' ? { ...look, runs: shaky } : look));
  const { facts, unsteady } = compact(again, published, before);
  expect(facts['message:system/status']).toBe('2.0.0 seen');
  expect(unsteady).toEqual({ 'hook:ask': '2.0.0, 2.0.2' });
});

test('a run that failed for want of a key in the catalog does not count once the catalog has it', () => {
  const first = recordOf('2.0.0', [{ 'endpoint:get_plan': 'fail' }]);
  const details = { 'endpoint:get_plan': 'success with a value, but response.colour: unknown-key' };
  const behind = first.runs.map((run) => ({ ...run, details }));
  expect(compact([{ ...first, runs: behind }], published).facts['endpoint:get_plan']).toBe('2.0.0 fail');
  const again = recordOf('2.0.0', [{ 'endpoint:get_plan': 'pass' }]).runs;
  const { facts, unsteady } = compact([{ ...first, runs: [...behind, ...again] }], published);
  expect([facts['endpoint:get_plan'], unsteady]).toEqual(['2.0.0 pass', {}]);
});

test('a request is served, refused, unknown, silent, or ends the CLI', () => {
  const requestOn = (version: string, verdict: 'pass' | 'fail' | 'silent' | 'unsupported', detail = '') => ({
    ...recordOf(version, []),
    runs: [
      {
        full: true,
        seconds: 1,
        verdicts: { 'endpoint:mcp_status': verdict },
        details: { 'endpoint:mcp_status': detail },
      },
    ],
  });
  const records = [
    requestOn('2.0.0', 'silent', 'no answer'),
    requestOn('2.0.1', 'unsupported', 'refused: Unsupported control request subtype'),
    requestOn('2.0.2', 'fail', 'refused: wrong fields'),
    requestOn('2.0.3', 'fail', 'the process ended: exit code 1'),
    requestOn('2.0.4', 'fail', 'success with a value, but a key is missing'),
  ];
  expect(compact(records, published).facts['request:mcp_status']).toBe(
    '2.0.0 silent, 2.0.1 unknown, 2.0.2 refused, 2.0.3 ends, 2.0.4 served',
  );
});

test('a message was seen, or is at least named; between two versions their values decide', () => {
  const named = ['system', 'status'];
  const seen = ['message system/status'];
  const records = [
    recordOf('2.0.0', [{}], { named: ['system'] }),
    partly('2.0.1', {}, { named }),
    recordOf('2.0.2', [{}], { named, seen }),
    partly('2.0.3', {}, { named }),
    recordOf('2.0.4', [{}], { named }),
  ];
  // Nothing is known about 2.0.3: on one side it was seen, on the other it was not.
  expect(compact(records, published).facts['message:system/status']).toBe(
    '2.0.0 no, 2.0.1 seen, 2.0.4 named after 2.0.2',
  );
});

test('a flag that no version has is left out', () => {
  const before = compact([recordOf('2.0.0', [], { listed: ['--all'] })], published.slice(0, 1));
  const { facts } = compact([recordOf('2.0.0', []), recordOf('2.0.1', [])], published, before);
  expect(facts).not.toHaveProperty('flag:--all');
});

test('a flag is listed, hidden, or refused', () => {
  const records = [
    recordOf('2.0.0', [], { refused: ['--effort'] }),
    recordOf('2.0.1', [], { taken: ['--effort'] }),
    recordOf('2.0.2', [], { taken: ['--effort'], listed: ['--effort', '--help'] }),
  ];
  const { facts } = compact(records, published);
  expect(facts['flag:--effort']).toBe('2.0.0 no, 2.0.1 hidden, 2.0.2 listed');
  expect(facts['flag:--help']).toBe('2.0.0 no, 2.0.2 listed');
});

test('a hidden flag is not lost where only other facts are looked at', () => {
  const before = compact([recordOf('2.0.0', [{}], { taken: ['--effort'] })], published);
  const { facts } = compact([partly('2.0.1', { 'hook:ask': 'pass' })], published, before);
  expect(facts['flag:--effort']).toBe('2.0.0 hidden');
});

test('a ledger is extended with newly published versions', () => {
  const before = {
    published: published.slice(0, 4),
    probed: ['2.0.0', '2.0.3'],
    looked: ['2.0.1'],
    facts: { 'hook:ask': '2.0.0 silent, 2.0.2 pass after 2.0.0', 'end:idle': '2.0.0 pass' },
    unsteady: {},
  };
  const after = compact([recordOf('2.0.4', [{ 'hook:ask': 'fail', 'end:idle': 'pass' }])], published, before);
  expect(after.facts['hook:ask']).toBe('2.0.0 silent, 2.0.2 pass after 2.0.0, 2.0.4 fail');
  expect(after.facts['end:idle']).toBe('2.0.0 pass');
  expect([after.probed, after.looked]).toEqual([['2.0.0', '2.0.3', '2.0.4'], ['2.0.1']]);
});

test('the file has a line for each fact', () => {
  const text = ledgerText(compact([recordOf('2.0.0', [{ 'hook:ask': 'pass' }])], published));
  expect(text).toContain('\n  "hook:ask": "2.0.0 pass"');
  expect(JSON.parse(text)).toMatchObject({ published, facts: { 'hook:ask': '2.0.0 pass' } });
});

test('a program either names a field or not', () => {
  const records = [
    recordOf('2.0.0', [{}], { fields: { toolAliases: false } }),
    partly('2.0.1', {}, { fields: { toolAliases: true } }),
    partly('2.0.2', {}),
  ];
  expect(compact(records, published).facts['field:toolAliases']).toBe('2.0.0 no, 2.0.1 named');
});
