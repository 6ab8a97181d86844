import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findExtensionVersion } from '../../../../../src/host/cli/program/chrome-extension.js';

const ID = 'fcoeoabgfenejglbffodgkkbkcdhcgfn';

test('the version is that of the newest extension folder, in any browser and profile', async () => {
  const home = await mkdtemp(join(tmpdir(), 'coxswain-home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  expect(await findExtensionVersion(home, 'linux')).toBeNull();
  const add = (...path: string[]) => mkdir(join(home, ...path), { recursive: true });
  await add('.config', 'chromium', 'Default', 'Extensions', ID, '1.0.9_0');
  await add('.config', 'google-chrome', 'Profile 2', 'Extensions', ID, '1.0.36_0');
  await add('.config', 'google-chrome', 'Profile 2', 'Extensions', ID, 'Temp');
  await add('.config', 'google-chrome', 'Default', 'Extensions', 'another', '9.0.0_0');
  expect(await findExtensionVersion(home, 'linux')).toBe('1.0.36');
  expect(await findExtensionVersion(home, 'darwin')).toBeNull();
  expect(await findExtensionVersion(home, 'another system')).toBeNull();
});
