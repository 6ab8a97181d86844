import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
const entryPoints = Object.keys(exportsOf(manifest)).filter((entryPoint) => !entryPoint.endsWith('.json'));

test.each(entryPoints)('%s can be imported by the package name', async (entryPoint) => {
  const program = `const entryPoint = await import('coxswain${entryPoint.slice(1)}'); console.log(Object.keys(entryPoint).length);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  if (entryPoint === './compat/sdk-tools') expect(Number(stdout), 'types alone').toBe(0);
  else expect(Number(stdout)).toBeGreaterThan(0);
});

test('a CommonJS program can require coxswain/protocol', async () => {
  const program = `console.log(require('coxswain/protocol').decodeLine('{"type":"keep_alive"}').kind);`;
  const { stdout } = await run(process.execPath, [
    '--no-warnings',
    '--input-type=commonjs',
    '--eval',
    program,
  ]);
  expect(stdout.trim()).toBe('keep-alive');
});

test('files that are not entry points cannot be imported', async () => {
  const program = `await import('coxswain/dist/chunks/wire.js');`;
  const attempt = run(process.execPath, ['--input-type=module', '--eval', program]);
  await expect(attempt).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

function exportsOf(value: unknown): object {
  if (typeof value !== 'object' || value === null || !('exports' in value)) throw new Error('no exports');
  const { exports } = value;
  if (typeof exports !== 'object' || exports === null) throw new Error('exports is not an object');
  return exports;
}
