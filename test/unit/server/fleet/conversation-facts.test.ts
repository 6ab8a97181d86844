import { expect, test } from 'vitest';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import { factsOf } from '../../../../src/server/fleet/manager/conversation-facts.js';
import type { FleetRecord } from '../../../../src/server/fleet/record.js';

test('a conversation on a fleet says that it waits for a usage limit, and until when', () => {
  const by = { client: 'c', name: 'test', kind: 'page' } as const;
  const limits = { now: 0, sessionBudgetUsd: undefined, repository: undefined };
  const limitUntil = '2026-11-18T10:00:00.000Z';
  const summary = { ...newSummary('s', { cwd: '/' }, by, limits), state: 'limited', limitUntil } as const;
  const record = {
    summary,
    opened: { cwd: '/' },
    place: { priority: 0, labels: [] },
  } as unknown as FleetRecord;
  expect(factsOf('talk', record)).toMatchObject({ state: 'limited', limitUntil: new Date(limitUntil) });
  expect(factsOf('talk', { ...record, failure: 'No worker.' })).toMatchObject({ state: 'limited' });
  const ended = { ...record, summary: { ...summary, state: 'ended' }, failure: 'No worker.' } as FleetRecord;
  expect(factsOf('talk', ended)).toMatchObject({ state: 'failed', failure: 'No worker.' });
});

test('a message that waits for a budget is counted once, and one that waits for an answer has begun', () => {
  const by = { client: 'c', name: 'test', kind: 'page' } as const;
  const limits = { now: 0, sessionBudgetUsd: 1, repository: undefined };
  const of = (kind: string, queued: readonly string[]) =>
    factsOf('talk', {
      summary: {
        ...newSummary('s', { cwd: '/' }, by, limits),
        state: 'needs-you',
        prompts: [{ kind }],
        queued,
      },
      opened: { cwd: '/' },
      place: { priority: 0, labels: [] },
    } as unknown as FleetRecord);
  expect(of('budget', ['a'])).toMatchObject({ state: 'paused', messages: 1 });
  expect(of('permission', ['a'])).toMatchObject({ state: 'running', messages: 2 });
});
