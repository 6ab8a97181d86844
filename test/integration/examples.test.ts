import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const examples = readdirSync('examples').filter((name) => name.endsWith('.ts'));
const built = (name: string) => join('dist/examples', name.replace(/ts$/, 'mjs'));

const runExample = (path: string) => {
  const { PATH, HOME } = process.env;
  return run(process.execPath, [path], { env: { PATH, HOME } });
};

describe.concurrent('an example', () => {
  test.each(examples)(
    '%s runs unchanged, without a key, prints something, and all its checks pass',
    async (name) => {
      await expect(runExample(built(name))).resolves.toMatchObject({
        stdout: expect.stringMatching(/\S/),
        stderr: '',
      });
    },
  );

  test.each(examples)('%s says in its first line what it shows, and has checks', (name) => {
    const source = readFileSync(join('examples', name), 'utf8');
    expect(source).toMatch(/^\/\/ \S.*\.\n/);
    expect(source).toMatch(/^assert\./m);
    expect(source).toMatch(/from 'coxswain[/']/);
    expect(source).not.toMatch(/from '\.\.?\//);
  });

  test('fails loudly if a check fails', async ({ onTestFinished }) => {
    // Inside the package, so that its own name leads to the build.
    mkdirSync('.cache', { recursive: true });
    const folder = mkdtempSync(resolve('.cache/examples-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const source = readFileSync(built('01-ask.ts'), 'utf8');
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, source.replace('/complete turn/', '/something else/'));
    await expect(runExample(broken)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('AssertionError'),
    });
  });
});
