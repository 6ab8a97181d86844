import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type KnownRealCli, knownRealClis } from '../../../src/lab/testing/real-cli/known-clis.js';

/** The real CLIs that can be patched. */
export function javaScriptClis(): readonly KnownRealCli[] {
  return knownRealClis().filter(({ path }) => path.endsWith('.js'));
}

/** A cache folder for patched copies that exists during the tests of a file. */
export function throwawayCache(): { readonly folder: string } {
  const cache = { folder: '' };
  beforeAll(async () => {
    cache.folder = await mkdtemp(join(tmpdir(), 'coxswain-patched-'));
  });
  afterAll(() => rm(cache.folder, { recursive: true, force: true }));
  return cache;
}
