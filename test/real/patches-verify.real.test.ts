import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { verifyCopy } from '../../src/cox/patch/verify.js';
import { planPatches, preparePatchedCli } from '../../src/patches/prepare.js';
import { describeRealClis } from './support/each-real-cli.js';
import { throwawayCache } from './support/patched-clis.js';

const cache = throwawayCache();

describeRealClis(
  'patches',
  (cli) => {
    test('apply to a copy in little time, and leave the CLI as it was', async () => {
      const before = await readFile(cli.path);
      const began = performance.now();
      const plan = await preparePatchedCli(cli.path, { cacheFolder: cache.folder });
      // About ten times what it takes; the limit for users is two seconds.
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(plan.reports.filter(({ success }) => !success)).toEqual([]);
      expect(before.equals(await readFile(cli.path))).toBe(true);
      expect(plan.path.startsWith(cache.folder)).toBe(true);
      expect(await planPatches(cli.path, { cacheFolder: cache.folder })).toEqual(plan);
    });

    test('do what they promise on the running copy', async () => {
      const plan = await preparePatchedCli(cli.path, { cacheFolder: cache.folder });
      const verdicts = await verifyCopy(plan);
      expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
      expect(verdicts.map(({ patch }) => patch)).toEqual(
        plan.reports.filter(({ success }) => success).map(({ id }) => id),
      );
    });
  },
  ['2.0.73', '2.1.17'],
);

describeRealClis(
  'patches',
  (cli) => {
    test('refuse a native binary with a clear sentence', async () => {
      await expect(planPatches(cli.path)).rejects.toMatchObject({
        code: 'CLI_NOT_PATCHABLE',
        message: expect.stringContaining('native binary'),
      });
    });
  },
  ['2.1.325'],
);
