import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../../../src/host/session/turns/outcome.js';

const none = { interruptAsked: false };

describe('outcomeOf', () => {
  test('a success has its text and structured output', () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'hi',
      structured_output: { a: 1 },
    };
    expect(outcomeOf(result, none)).toEqual({ kind: 'success', text: 'hi', output: { a: 1 }, result });
  });

  test('an API failure is a failure although the wire says success', () => {
    const result = { subtype: 'success', is_error: true, result: 'API Error: 500 oops' };
    expect(outcomeOf(result, { ...none, assistantError: 'unknown' })).toMatchObject({
      kind: 'error',
      status: 500,
      message: 'API Error: 500 oops',
    });
  });

  test.each([
    [{ assistantError: 'authentication_failed' }, {}, 'auth'],
    [{ assistantError: 'billing_error' }, {}, 'auth'],
    [{ assistantError: 'unknown' }, { api_error_status: 401 }, 'auth'],
    [{ assistantError: 'rate_limit' }, {}, 'rate-limited'],
    [{ assistantError: 'unknown' }, { result: 'API Error: 429 slow down' }, 'rate-limited'],
    [{ assistantError: 'server_error' }, { api_error_status: 529 }, 'error'],
    [
      { assistantError: 'server_error' },
      { result: 'Failed to refresh OAuth token: another process is refreshing it' },
      'auth',
    ],
    [{}, {}, 'error'],
  ])('with %j and %j it is %s', (evidence, extra, kind) => {
    const result = { subtype: 'success', is_error: true, result: 'text', ...extra };
    expect(outcomeOf(result, { ...none, ...evidence }).kind).toBe(kind);
  });

  test('a rate limit has the data of its event', () => {
    const rateLimit = { status: 'rejected', resetsAt: 5 };
    const outcome = outcomeOf(
      { subtype: 'success', is_error: true, result: '' },
      { ...none, assistantError: 'rate_limit', rateLimit },
    );
    expect(outcome).toMatchObject({ kind: 'rate-limited', limit: rateLimit });
  });

  test.each([
    ['error_max_turns', 'max-turns'],
    ['error_max_budget_usd', 'budget'],
    ['error_max_structured_output_retries', 'output-invalid'],
    ['error_during_execution', 'error'],
    ['error_of_the_future', 'error'],
  ])('%s is %s, even if old CLIs set is_error to false', (subtype, kind) => {
    expect(outcomeOf({ subtype, is_error: false, errors: [] }, none).kind).toBe(kind);
  });

  test('error_during_execution is an interrupt if one was requested, or the CLI says so', () => {
    const result = { subtype: 'error_during_execution', is_error: false, errors: [] };
    expect(outcomeOf(result, { interruptAsked: true }).kind).toBe('interrupted');
    expect(outcomeOf({ ...result, terminal_reason: 'aborted_tools' }, none).kind).toBe('interrupted');
  });

  test("the CLI's own message reaches the caller", () => {
    expect(outcomeOf({ subtype: 'error_during_execution', errors: ['one', 'two'] }, none)).toMatchObject({
      message: 'one\ntwo',
    });
  });
});
