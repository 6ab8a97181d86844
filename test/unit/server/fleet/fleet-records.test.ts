import { expect, test } from 'vitest';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import { ANYWHERE, type FleetRecord, readRecord } from '../../../../src/server/fleet/record.js';

const by = { client: 'c', name: 'a page', kind: 'page' } as const;
const limits = { now: 1, sessionBudgetUsd: 2, repository: undefined };
const summary = newSummary('00000000-0000-4000-8000-000000000001', { cwd: '/' }, by, limits);
const record: FleetRecord = {
  format: 1,
  epoch: 1,
  worker: 'w',
  summary,
  opened: { cwd: '/' },
  place: ANYWHERE,
  starts: 0,
};

/** As an engine returns it. */
const stored = (change: object): unknown => JSON.parse(JSON.stringify({ ...record, ...change }));

test.each<[string, object]>([
  ['summary', { summary: 'talk' }],
  ['summary.prompts', { summary: { ...summary, prompts: {} } }],
  ['summary.last', { summary: { ...summary, last: 'first' } }],
  ['opened.cwd', { opened: {} }],
  ['place.labels', { place: { priority: 0, labels: 'gpu' } }],
  ['epoch', { epoch: '7' }],
  ['starts', { starts: undefined }],
])('a record of the fleet whose %s is not ours is refused with the reason', (path, change) => {
  const read = () => readRecord(stored(change));
  expect(read).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }));
  expect(read).toThrow(path);
});

test.each([null, 7, 'record', [], {}])('%j is no record of the fleet', (value) => {
  expect(() => readRecord(value)).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }));
});

test('a record of another version is read with all that it says', () => {
  const newer = stored({ summary: { ...summary, state: 'dreaming', fromTheFuture: {} }, alsoNew: true });
  expect(readRecord(newer)).toEqual(newer);
});

test('a record in a newer format is refused as such', () => {
  expect(() => readRecord(stored({ format: 2 }))).toThrow(expect.objectContaining({ code: 'STORE_TOO_NEW' }));
});
