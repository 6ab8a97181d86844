import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { verifyCopy } from '../../src/command/patch/verify.js';
import { planPatches, preparePatchedCli } from '../../src/host/patches/prepare.js';
import { builtinPatches } from '../../src/host/patches/registry.js';
import { describeInstalledClis, describeRealClis } from './support/each-real-cli.js';
import { javaScriptClis, throwawayCache } from './support/patched-clis.js';

const cache = throwawayCache();

describeInstalledClis(
  'patches of CLI $version',
  (cli) => {
    test('apply to a copy, and leave the CLI unchanged', async () => {
      const before = await readFile(cli.path);
      const plan = await preparePatchedCli(cli.path, { cacheFolder: cache.folder });
      expect(plan.reports.filter(({ success }) => !success)).toEqual([]);
      expect(before.equals(await readFile(cli.path))).toBe(true);
      expect(plan.path.startsWith(cache.folder)).toBe(true);
      expect(await planPatches(cli.path, { cacheFolder: cache.folder })).toEqual(plan);
    });

    test('apply all in less than 500 MB', async () => {
      const args = ['test/fixtures/apply-patches.mjs', cli.path, join(cache.folder, 'measured')];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const { applied, megabytes } = JSON.parse(stdout);
      expect(applied).toBe(builtinPatches.length);
      expect(megabytes).toBeLessThan(500);
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
  { clis: javaScriptClis() },
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
  ['2.1.326'],
);
