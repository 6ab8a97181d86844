import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Inside the project, so that the planted tests find vitest.
const cache = resolve('.cache');
let folder = '';

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'planted-tests-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the closing line of a test run', () => {
  test('names and counts skipped tests, including those of a skipped file', () => {
    const run = runVitest(skippedTests, {});
    expect(run.lines).toContain('SKIPPED whole.test.ts > all of it > one: no reason given');
    expect(run.lines).toContain('SKIPPED parts.test.ts > with a reason: no such CLI here');
    expect(run.lines.at(-1)).toBe('1 passed, 0 failed, 3 skipped');
    expect(run.status).toBe(0);
  });

  test('makes a skipped test a failure in CI', () => {
    const run = runVitest(skippedTests, { CI: 'true' });
    expect(run.lines.at(-1)).toBe('1 passed, 0 failed, 3 skipped');
    expect(run.status).not.toBe(0);
  });

  test('excuses the fleet tests if the machine declares that it has no server for them', () => {
    const planted = { 'some.fleet.test.ts': `${head} test.skip('one', () => {}); test('two', () => {});` };
    const run = runVitest(planted, { CI: 'true', COXSWAIN_NO_NATS: 'no network' });
    expect(run.lines).toContain('SKIPPED some.fleet.test.ts > one: no reason given');
    expect(run.status).toBe(0);
    expect(runVitest(planted, { CI: 'true' }).status).not.toBe(0);
  });

  test.each([
    ['COXSWAIN_NO_FIREFOX', 'some-firefox.browser.test.ts', 'some.browser.test.ts'],
    ['COXSWAIN_NO_SHELLS', 'some-shells.test.ts', 'some.test.ts'],
  ])('with %s, excuses %s and not %s', (variable, excused, other) => {
    const planted = `${head} test.skip('one', () => {}); test('two', () => {});`;
    const env = { CI: 'true', [variable]: '1' };
    const run = runVitest({ [excused]: planted }, env);
    expect(run.lines).toContain(`SKIPPED ${excused} > one: no reason given`);
    expect(run.status).toBe(0);
    expect(runVitest({ [other]: planted }, env).status).not.toBe(0);
  });

  test('counts a file that cannot be loaded and a failed beforeAll as failures', () => {
    const run = runVitest(brokenTests, {});
    expect(run.lines.at(-1)).toMatch(/^0 passed, 2 failed/);
    expect(run.status).not.toBe(0);
  });
});

const head = `import { beforeAll, describe, expect, test } from 'vitest';\n`;

const skippedTests = {
  'whole.test.ts': `${head} describe.skip('all of it', () => { test('one', () => {}); test('two', () => {}); });`,
  'parts.test.ts': `${head} test('passes', () => { expect(1).toBe(1); });
    test('with a reason', (context) => context.skip('no such CLI here'));`,
};

const brokenTests = {
  'unloadable.test.ts': `throw new Error('planted');`,
  'hook.test.ts': `${head} describe('hook', () => { beforeAll(() => { throw new Error('planted'); }); test('x', () => {}); });`,
};

function runVitest(files: Readonly<Record<string, string>>, extraEnv: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(folder, 'run-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const config = { test: { reporters: [resolve('scripts/lib/count-reporter.mjs')] } };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  const { CI: _, VITEST: __, ...env } = process.env;
  const run = spawnSync(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, ...extraEnv },
  });
  return { status: run.status, lines: run.stdout.trimEnd().split('\n') };
}
