import { expect, test } from 'vitest';
import { AbortError, endError, launchError } from '../../../../src/entry/compat/errors.js';
import * as compat from '../../../../src/entry/compat/index.js';
import { notOffered } from '../../../../src/entry/compat/offered.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

test('an abort is recognised by its name, its class and its field', () => {
  const error = new AbortError('stop');
  expect([error.name, error instanceof Error, error.errorClass]).toEqual(['AbortError', true, 'aborted']);
});

test('a clean end is not an error, any other says what happened', () => {
  const nothing = { result: undefined, unfinished: undefined };
  const left = { reason: 'exited' as const, code: 0, signal: null, stderrTail: 'x' };
  expect(endError({ reason: 'closed' }, nothing)).toBeUndefined();
  expect(endError(left, nothing)).toBeUndefined();
  expect(endError(left, { ...nothing, unfinished: 'in the middle of a line' })).toMatchObject({
    message: 'Claude Code process exited with code 0 in the middle of a line',
    exitCode: 0,
  });
  const failed = new Error('pipe');
  expect(endError({ reason: 'failed', error: failed }, nothing)).toBe(failed);
  const exited = { reason: 'exited' as const, code: 1, signal: null, stderrTail: 'why\n' };
  expect(endError(exited, nothing)?.message).toBe('Claude Code process exited with code 1. stderr: why');
  expect(
    endError(exited, { ...nothing, result: { is_error: true, result: 'no credit' } })?.message,
  ).toContain('error result: no credit');
  expect(
    endError(exited, { ...nothing, result: { is_error: true, subtype: 'error_max_turns' } })?.message,
  ).toContain('error_max_turns');
});

test('a failed start names the option of this SDK and keeps the cause', () => {
  const cause = new CoxswainError('CLI_NOT_FOUND', 'Nothing at the option "cli".');
  expect(launchError(cause, '/x/claude')).toMatchObject({
    code: 'ENOENT',
    errorClass: 'executable_not_found',
    message:
      'Claude Code native binary not found at /x/claude (ENOENT): Nothing at the option "pathToClaudeCodeExecutable".',
    cause,
  });
});

test('anything that is not covered says so when it is used', () => {
  expect(() => compat.parseDirectConnectUrl()).toThrow('not covered');
  expect(() => new compat.DirectConnectTransport()).toThrow(notOffered.exports.DirectConnectTransport);
  expect(() => new compat.FileIndex()).toThrow(notOffered.exports.FileIndex);
  expect(() => new compat.CommandMatcher()).toThrow(notOffered.exports.CommandMatcher);
});
