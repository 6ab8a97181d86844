import { describe, expect, test } from 'vitest';
import { exitCodeFor, explainOutcome, type Report, summaryLine } from '../../../../src/command/run/report.js';
import type { TurnOutcome } from '../../../../src/host/session/turns/outcome.js';
import { NO_USAGE } from '../../../../src/host/session/turns/usage.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { PLAIN_LOOK } from '../../../support/recorded-screen.js';

const NOTHING_ASKED = { allowed: 0, denied: 0, unanswered: 0 };
const SUCCESS: TurnOutcome = { kind: 'success', text: 'hi' };

const report = (fields: Partial<Report>): Report => ({
  outcome: SUCCESS,
  error: undefined,
  exitCode: 0,
  stoppedBy: undefined,
  sessionId: 's1',
  cliVersion: '2.1.326',
  durationMs: 61_000,
  usage: { ...NO_USAGE, costUsd: 0.02, inputTokens: 1_000, cacheReadInputTokens: 500, outputTokens: 20 },
  prompts: NOTHING_ASKED,
  ...fields,
});

describe('the exit code', () => {
  const codeOf = (outcome: TurnOutcome | undefined, fields: Partial<Report> = {}, stopCode?: number) =>
    exitCodeFor({ outcome, error: fields.error, prompts: fields.prompts ?? NOTHING_ASKED }, stopCode);

  const outcomes: readonly (readonly [number, TurnOutcome])[] = [
    [0, SUCCESS],
    [1, { kind: 'error', message: 'x' }],
    [1, { kind: 'output-invalid', message: 'x' }],
    [6, { kind: 'max-turns', by: 'cli', message: 'x' }],
    [6, { kind: 'budget', message: 'x', by: 'cli' }],
    [9, { kind: 'rate-limited', message: 'x' }],
    [9, { kind: 'auth', message: 'x', reason: 'y' }],
    [1, { kind: 'interrupted' }],
    [3, { kind: 'stalled', quietMs: 1 }],
    [1, { kind: 'cli-ended', error: new Error('x') }],
    [1, { kind: 'closed' }],
  ];
  test.each(outcomes)('is %d for such an outcome', (code, outcome) => {
    expect(codeOf(outcome)).toBe(code);
  });

  test.each([
    [0, { allowed: 1, denied: 1, unanswered: 0 }],
    [5, { allowed: 0, denied: 1, unanswered: 0 }],
    [5, { allowed: 1, denied: 0, unanswered: 1 }],
  ])('is %d for a success with these answers', (code, prompts) => {
    expect(codeOf(SUCCESS, { prompts })).toBe(code);
  });

  test('is that of the signal, unless the turn succeeded anyway', () => {
    expect(codeOf({ kind: 'interrupted' }, {}, 130)).toBe(130);
    expect(codeOf(undefined, { error: new Error('closed') }, 143)).toBe(143);
    expect(codeOf(SUCCESS, {}, 130)).toBe(0);
  });

  test('is that of the error when no session was opened', () => {
    expect(codeOf(undefined, { error: new CoxswainError('SESSION_MISSING', 'x') })).toBe(4);
    expect(codeOf(undefined, { error: new TypeError('x') })).toBe(1);
  });
});

describe('the final message', () => {
  test('is empty for a plain success', () => {
    expect(explainOutcome(report({}))).toEqual([]);
  });

  test('says what, why and what to do', () => {
    expect(
      explainOutcome(report({ outcome: { kind: 'max-turns', by: 'cli', message: 'Reached 3.' } })),
    ).toEqual([
      'coxswain: The turn limit was reached.',
      'why: Reached 3.',
      'what to do: raise --max-turns, or continue with --resume s1',
    ]);
  });

  test('says why a stalled turn ended', () => {
    expect(explainOutcome(report({ outcome: { kind: 'stalled', quietMs: 61_000 } }))).toContain(
      'why: no output for 1 min 1 s',
    );
  });

  test('says what stopped it, if anything did', () => {
    const outcome = { kind: 'interrupted' } as const;
    expect(explainOutcome(report({ outcome, stoppedBy: 'SIGTERM' }))).toEqual([
      'coxswain: The turn was stopped (SIGTERM).',
    ]);
    expect(explainOutcome(report({ outcome: undefined, stoppedBy: 'timeout' }))).toEqual([
      'coxswain: Stopped before the session was open (timeout).',
    ]);
  });

  test('says that something was denied', () => {
    const prompts = { allowed: 0, denied: 0, unanswered: 1 };
    expect(explainOutcome(report({ prompts }))).toHaveLength(1);
  });
});

test('the summary has time, tokens, cost and the id for resuming', () => {
  expect(summaryLine(report({}), PLAIN_LOOK)).toBe(
    '✓ 1 min 1 s · 1.5k tokens in, 20 out · $0.0200 · session s1',
  );
  const failed = report({ outcome: { kind: 'closed' }, sessionId: undefined });
  expect(summaryLine(failed, PLAIN_LOOK)).toMatch(/^✗ .*\$0\.0200$/);
});
