import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-bundle-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes modules not know where they came from, as in a bundle. */
function writeHook(address: string): string {
  const [hook, loader] = [join(folder, 'hook.mjs'), join(folder, 'loader.mjs')];
  writeFileSync(hook, `import { register } from 'node:module'; register('./loader.mjs', import.meta.url);`);
  writeFileSync(
    loader,
    `export async function load(url, context, next) {
      const loaded = await next(url, context);
      if (!url.includes('/dist/')) return loaded;
      return { ...loaded, source: String(loaded.source).replaceAll('import.meta.url', '${address}') };
    }`,
  );
  return hook;
}

async function run(address: string, host: string): Promise<string> {
  const args = ['--import', pathToFileURL(writeHook(address)).href, '--input-type=module', '-e', host];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: 10_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, CLAUDE_CODE_PATH: '' },
  });
  return stdout;
}

const BUNDLES = [
  ['CommonJS', 'undefined'],
  ['modules', '"file:///nowhere/bundle.js"'],
] as const;

test.each(BUNDLES)('a program bundled as %s searches for the CLI', async (_, address) => {
  const door = pathToFileURL(resolve('dist/cli.js')).href;
  const host = `
    const { findCli } = await import(${JSON.stringify(door)});
    const { looked } = findCli({ cwd: ${JSON.stringify(folder)} });
    process.stdout.write(JSON.stringify(looked.map(({ path }) => path)));`;
  expect(JSON.parse(await run(address, host))).toContainEqual(expect.stringContaining(folder));
});
