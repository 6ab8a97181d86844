import { expect, test } from 'vitest';
import { spawnError } from '../../../../../src/wire/transport/process/spawn-errors.js';

const errno = (code: string) => Object.assign(new Error(`spawn x ${code}`), { code });

test.each([
  ['ENOENT', 'CLI_NOT_FOUND'],
  ['EACCES', 'CLI_NOT_EXECUTABLE'],
  ['ENOEXEC', 'CLI_WRONG_PLATFORM'],
  ['E2BIG', 'SPAWN_FAILED'],
  ['EMFILE', 'SPAWN_FAILED'],
  ['ETXTBSY', 'SPAWN_FAILED'],
  ['EFTYPE', 'CLI_WRONG_PLATFORM'],
  ['ENAMETOOLONG', 'SPAWN_FAILED'],
  ['ESTRANGE', 'SPAWN_FAILED'],
])('%s from the system becomes %s with the file in it', (code, ours) => {
  const cause = errno(code);
  const error = spawnError('/a/claude', cause);
  expect(error.code).toBe(ours);
  expect(error.message).toContain('/a/claude');
  expect(error.cause).toBe(cause);
});

test('something that is not an error is shown too', () => {
  expect(spawnError('/a/claude', 'odd').message).toContain('odd');
});

test('Node refuses a batch file with an ambiguous code', () => {
  expect(spawnError('C:\\a\\claude.CMD', errno('EINVAL'))).toMatchObject({ code: 'CLI_NOT_EXECUTABLE' });
  expect(spawnError('/a/claude', errno('EINVAL'))).toMatchObject({ code: 'SPAWN_FAILED' });
});
