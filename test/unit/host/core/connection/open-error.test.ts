import { describe, expect, test } from 'vitest';
import { OpenError } from '../../../../../src/host/core/connection/open-error.js';
import type { ErrorCode } from '../../../../../src/wire/util/error-codes.js';

const nothing = {
  phase: 'handshaking',
  commandLine: undefined,
  stderrTail: '',
  noise: [],
  mcpServersPending: [],
  debugLog: undefined,
} as const;

describe('the hint of a failed open', () => {
  test.each<[ErrorCode, object, RegExp]>([
    ['HANDSHAKE_TIMEOUT', { noise: ['Welcome!'], mcpServersPending: ['a'] }, /is the Claude CLI/],
    ['HANDSHAKE_ENDED', { noise: ['usage: cat'], stderrTail: 'bad' }, /is the Claude CLI/],
    ['HANDSHAKE_TIMEOUT', { mcpServersPending: ['a'] }, /raise handshakeMs/],
    ['HANDSHAKE_ENDED', {}, /npx coxswain doctor/],
    ['SESSION_MISSING', { stderrTail: 'none' }, /working folder/],
    ['CONFIG_INVALID', { stderrTail: 'bad', startupFailure: 'config_file_invalid' }, /correct the file/],
  ])('for %s with %j', (code, failure, hint) => {
    const error = new OpenError(code, 'It failed.', { ...nothing, ...failure });
    expect(error.hint).toMatch(hint);
    expect(error.message).toMatch(/^It failed\.\n(.*\n)* {2}hint: .+$/);
  });

  test('is absent if the CLI itself says what is wrong', () => {
    const error = new OpenError('HANDSHAKE_ENDED', 'It failed.', { ...nothing, stderrTail: 'bad flag' });
    expect(error.hint).toBeUndefined();
    expect(error.message).toBe('It failed.\n  stderr: bad flag');
  });

  test('comes with the lines that are not protocol', () => {
    const error = new OpenError('HANDSHAKE_ENDED', 'It failed.', { ...nothing, noise: ['one', 'two'] });
    expect(error).toMatchObject({
      noise: ['one', 'two'],
      message: expect.stringContaining('stdout: one\n    two'),
    });
  });
});
