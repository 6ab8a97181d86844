import { expect, test } from 'vitest';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import { factsOf } from '../../../../src/server/managers/served/served-facts.js';

const by = { client: 'c', name: 'test', kind: 'page' } as const;
const summary = newSummary('s', { cwd: '/' }, by, {
  now: 0,
  sessionBudgetUsd: undefined,
  repository: undefined,
});

test('a conversation says that it waits for a usage limit, and until when', () => {
  const limitUntil = '2026-11-18T10:00:00.000Z';
  const limited = { ...summary, state: 'limited', limitUntil } as const;
  expect(factsOf('talk', limited)).toMatchObject({ state: 'limited', limitUntil: new Date(limitUntil) });
  const failed = { ...summary, state: 'ended', failed: true, error: 'No worker.' } as const;
  expect(factsOf('talk', failed)).toMatchObject({ state: 'failed', failure: 'No worker.' });
});

test('a message that waits for a budget is counted once, and one that waits for an answer has begun', () => {
  const of = (kind: 'budget' | 'permission', queued: readonly string[]) =>
    factsOf('talk', { ...summary, state: 'needs-you', prompts: [{ kind } as never], queued });
  expect(of('budget', ['a'])).toMatchObject({ state: 'paused', messages: 1 });
  expect(of('permission', ['a'])).toMatchObject({ state: 'running', messages: 2 });
});

test('a schedule is told with its next time', () => {
  const schedule = { cron: '* * * * *', timezone: 'UTC', text: 'x', nextAt: 60_000 };
  expect(factsOf('talk', { ...summary, schedule })).toMatchObject({ schedule });
});
