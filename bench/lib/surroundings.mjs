// Where measurements run: a throwaway folder, the native CLI, and a real CLI with a scripted model if a case needs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fastCli } from './fast-cli.mjs';

export async function makeSurroundings() {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-bench-'));
  const cli = resolve(await fastCli());
  let real;
  return {
    folder,
    /** What a case needs besides its parameters: the CLI, its working folder, and the environment of the measurement. */
    async for({ real: isReal }) {
      if (!isReal) return { cli, cwd: folder, env: process.env };
      real ??= await realSurroundings();
      return { ...real, fast: cli };
    },
    async close() {
      await real?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The newest installed real CLI; its environment has only the search path of this machine. */
async function realSurroundings() {
  await import('../../scripts/lib/sources.mjs');
  const { knownRealClis, scriptModel, text } = await import('../../src/lab/testing/index.ts');
  const { scrubbedEnvironment } = await import('../../src/lab/testing/real-cli/scrubbed-environment.ts');
  const { makeThrowawayFolders } = await import('../../src/lab/testing/real-cli/throwaway-folders.ts');
  const found = knownRealClis().at(-1);
  if (found === undefined) throw new Error('No real CLI is installed here: run `npm test` once.');
  const model = await scriptModel(() => text('hello'));
  const folders = await makeThrowawayFolders();
  const { home, tmp, cwd } = folders;
  return {
    cli: found.path,
    cwd,
    env: scrubbedEnvironment({ home, tmp, modelUrl: model.url, extra: { IS_SANDBOX: '1' } }),
    close: async () => {
      await model.close();
      await folders.remove();
    },
  };
}
