import { describe, expect, test } from 'vitest';
import { replaceFile, replaceFileNow } from '../../../../src/wire/files/replace-file.js';

/** Renaming on a system where the target is open for the first tries. */
function inUse(tries: number, code = 'EPERM') {
  let left = tries;
  const calls: string[] = [];
  const rename = (from: string, to: string): void => {
    calls.push(`${from} ${to}`);
    left -= 1;
    if (left >= 0) throw Object.assign(new Error(code), { code });
  };
  return { calls, rename, renameLater: async (from: string, to: string) => rename(from, to) };
}

describe.each(['EPERM', 'EACCES', 'EBUSY'])('an open target (%s)', (code) => {
  test('is replaced on Windows once it is closed', async () => {
    const now = inUse(2, code);
    replaceFileNow('a', 'b', { platform: 'win32', rename: now.rename });
    expect(now.calls).toEqual(['a b', 'a b', 'a b']);
    const later = inUse(2, code);
    await replaceFile('a', 'b', { platform: 'win32', rename: later.renameLater });
    expect(later.calls).toHaveLength(3);
  });

  test('is an error elsewhere, and on Windows if it stays open', async () => {
    expect(() => replaceFileNow('a', 'b', { platform: 'linux', rename: inUse(1, code).rename })).toThrow(
      code,
    );
    const always = inUse(100, code);
    await expect(replaceFile('a', 'b', { platform: 'win32', rename: always.renameLater })).rejects.toThrow(
      code,
    );
    expect(always.calls).toHaveLength(8);
  });
});

test('another error is reported at once', async () => {
  const missing = inUse(1, 'ENOENT');
  expect(() => replaceFileNow('a', 'b', { platform: 'win32', rename: missing.rename })).toThrow('ENOENT');
  expect(missing.calls).toHaveLength(1);
  await expect(
    replaceFile('a', 'b', { platform: 'win32', rename: inUse(1, 'ENOENT').renameLater }),
  ).rejects.toThrow('ENOENT');
});
