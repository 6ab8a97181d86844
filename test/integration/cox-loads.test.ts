import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** The files that the built program loads for a command. */
function loadedBy(...args: string[]): readonly string[] {
  const hooks = pathToFileURL(resolve('scripts/lib/package/load-hooks.mjs')).href;
  const register = `data:text/javascript,import{register}from"node:module";register("${hooks}")`;
  const { stdout } = spawnSync(process.execPath, ['--import', register, 'dist/command.js', ...args], {
    encoding: 'utf8',
  });
  const urls = stdout.split('\n').flatMap((line) => /^\{"url":"(file:[^"]+)"/.exec(line)?.[1] ?? []);
  return [...new Set(urls)];
}

test('commands are loaded on demand', () => {
  const version = loadedBy('--version');
  const run = loadedBy('run', '--json', '--cli', 'no-such-cli', 'hello');
  // It was once 539, and 0.4 s of CPU.
  expect(version.length).toBeLessThan(60);
  expect(run.length).toBeGreaterThan(version.length);
  expect(version.filter((url) => /\/(?:zod|ws|react)\//.test(url))).toEqual([]);
});
