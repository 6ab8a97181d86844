import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { installCli } from '../../../scripts/lib/ledger/cli-cache.mjs';
import type { KnownRealCli } from '../../../src/lab/testing/real-cli/known-clis.js';

/** Installs published CLIs of any version, which exist during the tests of a file. */
export function publishedClis(): (version: string) => Promise<KnownRealCli> {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coxswain-clis-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return async (version) => ({ version, path: await installCli(folder, version) });
}
