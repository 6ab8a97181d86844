import { describe, expect, test } from 'vitest';
import type { LogEvent, SessionSummary } from '../../../../src/entry/remote/contract.js';
import { newSummary } from '../../../../src/server/console/sessions/new-summary.js';
import { newsIn, newsOf, type Reported } from '../../../../src/server/console/sessions/session-news.js';
import { apply } from '../../../../src/server/conversation/view.js';

const by = { client: 'c', name: 'test', kind: 'page' } as const;
const limits = { now: 0, sessionBudgetUsd: undefined, repository: undefined };
const empty = newSummary('s', { cwd: '/work' }, by, limits);
const usage = {
  costUsd: 0.5,
  inputTokens: 1,
  outputTokens: 2,
  cacheReadInputTokens: 3,
  cacheCreationInputTokens: 4,
};
const quiet: Reported = {
  state: 'ended',
  error: undefined,
  failed: false,
  limitUntil: undefined,
  conversation: undefined,
  cliVersion: undefined,
  usage: undefined,
  countsEarlier: false,
  maxBudgetUsd: undefined,
};

const withEvents = (view: SessionSummary, events: readonly LogEvent[]) =>
  events.reduce((next, event) => apply(next, { n: next.last + 1, at: 1, event }), view);

describe('what a session reports', () => {
  test.each<[string, Partial<Reported>, Partial<SessionSummary>]>([
    ['a CLI', { conversation: 'x', cliVersion: '2' }, { conversation: 'x', cliVersion: '2' }],
    ['usage', { usage }, { costUsd: 0.5, tokens: { input: 1, output: 2, cacheRead: 3, cacheCreation: 4 } }],
    ['a budget', { maxBudgetUsd: 3 }, { maxBudgetUsd: 3 }],
    ['a limit', { state: 'limited', limitUntil: 'soon' }, { state: 'limited', limitUntil: 'soon' }],
    ['a failure', { failed: true, error: 'It broke.' }, { failed: true, error: 'It broke.' }],
  ])('becomes an event once: %s', (_what, reported, shown) => {
    const now = { ...quiet, ...reported };
    const news = newsOf(empty, now);
    expect(news).toHaveLength(1);
    const view = withEvents(empty, news);
    expect(view).toMatchObject(shown);
    expect(newsOf(view, now)).toEqual([]);
  });

  test('is no event if nothing has changed', () => {
    expect(newsOf(empty, quiet)).toEqual([]);
  });

  test('takes back that costs are partial when a CLI counts the earlier ones', () => {
    const partial = { ...empty, costIsPartial: true };
    const view = withEvents(partial, newsOf(partial, { ...quiet, countsEarlier: true }));
    expect(view.costIsPartial).toBe(false);
    expect(newsOf(empty, { ...quiet, countsEarlier: true })).toEqual([]);
  });
});

describe('a message of a CLI', () => {
  const usageOf = (tokens: number) => ({ input_tokens: tokens, output_tokens: 1 });

  test('shows how full the context is, but not that of a subagent', () => {
    const main = { type: 'assistant', message: { usage: usageOf(9) } };
    expect(withEvents(empty, newsIn(empty, main)).context.tokens).toBe(10);
    expect(newsIn(empty, { ...main, parent_tool_use_id: 't' })).toEqual([]);
    expect(newsIn(withEvents(empty, newsIn(empty, main)), main)).toEqual([]);
  });

  test('says which model and mode it has, and how large the window is', () => {
    const init = { type: 'system', subtype: 'init', model: 'opus', permissionMode: 'plan' };
    expect(withEvents(empty, newsIn(empty, init))).toMatchObject({ model: 'opus', permissionMode: 'plan' });
    const result = {
      type: 'result',
      modelUsage: { opus: { contextWindow: 200 }, haiku: { contextWindow: 9 } },
    };
    expect(withEvents(empty, newsIn(empty, result)).context.window).toBe(200);
  });

  test('of another kind, or without figures, says nothing', () => {
    for (const message of [
      { type: 'user' },
      { type: 'assistant', message: 'x' },
      { type: 'result', modelUsage: 'none' },
      { type: 'system', subtype: 'hook_started', model: 'x' },
    ])
      expect(newsIn(empty, message)).toEqual([]);
  });
});
