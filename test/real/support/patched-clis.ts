import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A cache folder for patched copies that lives as long as the tests of a file. */
export function throwawayCache(): { readonly folder: string } {
  const cache = { folder: '' };
  beforeAll(async () => {
    cache.folder = await mkdtemp(join(tmpdir(), 'coxswain-patched-'));
  });
  afterAll(() => rm(cache.folder, { recursive: true, force: true }));
  return cache;
}
