import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FIRST_NATIVE, installCli, publishedVersions } from '../../scripts/lib/ledger/cli-cache.mjs';
import { verifyCopy } from '../../src/command/patch/verify.js';
import { preparePatchedCli } from '../../src/host/patches/prepare.js';
import { compareVersions } from '../../src/wire/util/versions.js';

const SOME = 8;
/** One whose servers could not be reconnected after a failure, between the versions that other tests run. */
const ALWAYS = '2.1.58';
const { COXSWAIN_CLIS = 'some' } = process.env;
const patchable = (await publishedVersions()).filter((version) => compareVersions(version, FIRST_NATIVE) < 0);

/** `COXSWAIN_CLIS` names versions, or `all`, which takes hours. Default: some of them, the oldest and the newest included. */
function triedVersions(): readonly string[] {
  if (COXSWAIN_CLIS === 'all') return patchable;
  if (COXSWAIN_CLIS !== 'some') return COXSWAIN_CLIS.split(/[\s,]+/).filter(Boolean);
  const step = (patchable.length - 1) / (SOME - 1);
  return [ALWAYS, ...Array.from({ length: SOME }, (_, at) => patchable[Math.round(at * step)] ?? '')];
}

describe('patches', () => {
  test.each(triedVersions())('do what they promise on CLI %s', { timeout: 180_000 }, async (version) => {
    const folder = await mkdtemp(join(tmpdir(), 'coxswain-patches-'));
    try {
      const cli = await installCli(folder, version);
      const verdicts = await verifyCopy(
        await preparePatchedCli(cli, { cacheFolder: join(folder, 'copies') }),
      );
      expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
      expect(verdicts.length).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
});
