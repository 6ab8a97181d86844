import { describe, expect, test } from 'vitest';
import { explainError } from '../../../src/cox/explain-error.js';
import { CoxswainError } from '../../../src/util/errors.js';

describe('explainError', () => {
  test.each([
    ['OPTION_INVALID', 2],
    ['REQUEST_TIMEOUT', 3],
    ['CLI_NOT_FOUND', 7],
    ['PROTOCOL_ERROR', 8],
    ['MODEL_SCRIPT_FAILED', 10],
    ['CLI_ENDED', 1],
  ] as const)('%s ends with exit code %d', (code, exitCode) => {
    expect(explainError(new CoxswainError(code, 'It broke.'))).toMatchObject({ exitCode });
  });

  test('does not say a cause twice', () => {
    const error = new CoxswainError('MODEL_NOT_STARTED', 'No port: taken.', { cause: new Error('taken') });
    expect(explainError(error).text).not.toContain('why:');
  });

  test('takes an error that is not ours for a fault, and says how to report it', () => {
    expect(explainError(new TypeError('x is not a function'))).toEqual({
      exitCode: 1,
      text: expect.stringMatching(/^coxswain: x is not a function\nwhat to do: .*--debug.*\n$/),
    });
  });

  test('can be given anything that was thrown', () => {
    expect(explainError('a string').text).toContain('coxswain: a string');
  });
});
