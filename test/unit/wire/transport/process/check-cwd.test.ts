import { expect, test } from 'vitest';
import { checkCwd } from '../../../../../src/wire/transport/process/check-cwd.js';
import { CoxswainError } from '../../../../../src/wire/util/errors.js';
import { fakeSystem } from '../../../host/cli/options/fake-system.js';

function errorOf(act: () => unknown): CoxswainError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof CoxswainError) return error;
    throw error;
  }
  return undefined;
}

test('a working folder that is missing or is a file is named, with its own code', () => {
  const system = fakeSystem({ files: { '/work/file': { text: 'x' } }, folders: ['/work/sub'] });
  expect(checkCwd('sub', system)).toBe('/work/sub');
  expect(checkCwd(undefined, system)).toBe('/work');
  const missing = errorOf(() => checkCwd('/gone', system));
  expect(missing).toMatchObject({ code: 'CWD_INVALID', message: expect.stringContaining('/gone') });
  const file = errorOf(() => checkCwd('file', system));
  expect(file).toMatchObject({ code: 'CWD_INVALID', message: expect.stringContaining('not a folder') });
});
