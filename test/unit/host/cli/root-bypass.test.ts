import { expect, test } from 'vitest';
import { checkRootBypass } from '../../../../src/host/cli/root-bypass.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

function errorOf(act: () => unknown): CoxswainError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof CoxswainError) return error;
    throw error;
  }
  return undefined;
}

const bypasses = [
  { permissionMode: 'bypassPermissions' },
  { allowDangerouslySkipPermissions: true },
  { extraArgs: { 'dangerously-skip-permissions': null } },
  { extraArgs: { 'allow-dangerously-skip-permissions': null } },
  { extraArgs: { 'permission-mode': 'bypassPermissions' } },
];

test.each(bypasses)('root with %o is refused before the start, with the ways to fix it', (options) => {
  const error = errorOf(() => checkRootBypass(options, {}, 0));
  expect(error?.code).toBe('ROOT_BYPASS');
  expect(error?.message).toContain('sandboxed');
});

test.each(bypasses)('%o is accepted for other users, in a sandbox and on Windows', (options) => {
  expect(errorOf(() => checkRootBypass(options, {}, 1000))).toBeUndefined();
  expect(errorOf(() => checkRootBypass(options, {}, undefined))).toBeUndefined();
  expect(errorOf(() => checkRootBypass(options, { IS_SANDBOX: '1' }, 0))).toBeUndefined();
  expect(errorOf(() => checkRootBypass(options, { CLAUDE_CODE_BUBBLEWRAP: '1' }, 0))).toBeUndefined();
});

test('root without bypass is fine, and a variable with another value is not a sandbox', () => {
  expect(errorOf(() => checkRootBypass({ permissionMode: 'plan' }, {}, 0))).toBeUndefined();
  const asked = { permissionMode: 'bypassPermissions' };
  expect(errorOf(() => checkRootBypass(asked, { IS_SANDBOX: 'true' }, 0))?.code).toBe('ROOT_BYPASS');
});
