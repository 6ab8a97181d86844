import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
// @ts-expect-error: a script, without types
import { closingOf, joined } from '../../scripts/lib/test-report.mjs';
// @ts-expect-error: a script, without types
import { timesTables, withLimits } from '../../scripts/lib/test-times.mjs';

interface Skip {
  readonly file: string;
  readonly reason: string;
}

const strict = { COXSWAIN_SKIPS: 'fail' };

function report(skipped: readonly Skip[] = [], files: readonly object[] = []) {
  return { counts: { passed: 1, failed: 0, skipped: skipped.length }, failures: [], skipped, files };
}

const skipOf = (file: string, reason = 'no reason given'): Skip => ({ file, reason });

describe('the closing lines of a test run', () => {
  test('have one line for each reason to skip, and the counts last', () => {
    const skipped = ['a', 'a', 'b'].map((name) => skipOf(`test/${name}.browser.test.ts`, 'no browser'));
    const { lines, refused } = closingOf(report([...skipped, skipOf('test/c.test.ts', 'no CLI')]), {
      CI: 'true',
    });
    expect(lines).toEqual([
      'SKIPPED 3 tests (test/a.browser.test.ts and 1 more): no browser',
      'SKIPPED 1 test (test/c.test.ts): no CLI',
      '1 passed, 0 failed, 4 skipped',
    ]);
    expect(refused).toBe(false);
  });

  test('say that a skip is a failure where COXSWAIN_SKIPS=fail', () => {
    expect(closingOf(report([skipOf('test/c.test.ts')]), strict).refused).toBe(true);
    expect(closingOf(report(), strict).refused).toBe(false);
  });

  test.each([
    ['chromium', 'some.browser.test.ts', 'some.real.test.ts'],
    ['firefox', 'some-firefox.browser.test.ts', 'some.browser.test.ts'],
    ['shells', 'some-shells.test.ts', 'some.test.ts'],
    ['sandboxes', 'spawners.slow.test.ts', 'some.slow.test.ts'],
    ['nats', 'some.fleet.test.ts', 'some.browser.test.ts'],
  ])('excuse the skips of a missing %s: %s, but not %s', (name, excused, other) => {
    const env = { ...strict, COXSWAIN_MISSING: ` ${name}` };
    expect(closingOf(report([skipOf(excused)]), env).refused).toBe(false);
    expect(closingOf(report([skipOf(excused), skipOf(other)]), env).refused).toBe(true);
  });

  test('excuse the skips that name a side package that could not be installed', () => {
    const env = { ...strict, COXSWAIN_MISSING: ' test/peers' };
    const skip = skipOf('some.test.ts', 'the official SDK is not installed in test/peers');
    expect(closingOf(report([skip]), env).refused).toBe(false);
    expect(closingOf(report([skip, skipOf('some.test.ts', 'not installed in test/acp')]), env).refused).toBe(
      true,
    );
  });

  test('name the slowest ten files and the time of each project', () => {
    const files = Array.from({ length: 12 }, (_, at) => ({
      project: at < 3 ? 'real' : 'unit',
      file: `${at}.test.ts`,
      ms: at * 1000,
      tests: 2,
    }));
    const { lines } = closingOf(report([], files), {});
    expect(lines.slice(0, 3)).toEqual(['Slowest files:', '    11.0 s  11.test.ts', '    10.0 s  10.test.ts']);
    expect(lines.slice(11, -1)).toEqual([
      'Time in tests, added up over files that run side by side:',
      '      63 s  unit: 18 tests in 9 files',
      '       3 s  real: 6 tests in 3 files',
    ]);
  });

  test('name what failed, why and where, before the counts', () => {
    const failures = [
      { name: 'a.test.ts > adds', message: 'expected 1\nto be 2', at: 'test/a.test.ts:3' },
      { name: 'b.test.ts', message: 'no such file' },
    ];
    const { lines } = closingOf({ ...report(), counts: { passed: 1, failed: 2, skipped: 0 }, failures }, {});
    expect(lines).toEqual([
      'FAILED a.test.ts > adds',
      '     expected 1',
      '     to be 2',
      '     at test/a.test.ts:3',
      'FAILED b.test.ts',
      '     no such file',
      '1 passed, 2 failed, 0 skipped',
    ]);
  });

  test('add up several runs', () => {
    expect(joined([report([skipOf('a')]), report()]).counts).toEqual({ passed: 2, failed: 0, skipped: 1 });
  });
});

test('the page for contributors and the limits of workflows follow from the measured times', () => {
  const projects = [{ project: 'unit', files: 2, tests: 9, seconds: 300 }];
  const times = {
    some: { seconds: 250, tests: 9, files: 2, projects, slowest: [{ file: 'a', seconds: 7 }] },
  };
  expect(timesTables(times)).toContain('| `npm test` | 4.2 min | 9 in 2 files | unit 300 s |');
  expect(timesTables(times)).toContain('Slowest files: `a` 7 s.');
  expect(withLimits('    timeout-minutes: 1 # npm test\n    timeout-minutes: 20\n', times)).toBe(
    '    timeout-minutes: 15 # npm test\n    timeout-minutes: 20\n',
  );
});

test('a run counts files that cannot be loaded and failed hooks, and a skip decides its exit code', () => {
  const broken = {
    'unloadable.test.ts': `throw new Error('planted');`,
    'hook.test.ts': `import { beforeAll, describe, test } from 'vitest';
      describe('hook', () => { beforeAll(() => { throw new Error('planted'); }); test('x', () => {}); });`,
  };
  const failing = runVitest(broken, {});
  expect(failing.lines.at(-1)).toMatch(/^0 passed, 2 failed/);
  expect(failing.lines).toEqual(
    expect.arrayContaining(['FAILED unloadable.test.ts', 'FAILED hook.test.ts > hook', '     planted']),
  );
  const skipping = {
    'parts.test.ts': `import { test } from 'vitest';
      test('passes', () => {}); test('skips', (context) => context.skip('no such CLI here'));`,
  };
  const refused = runVitest(skipping, strict);
  expect(refused.lines).toContain('SKIPPED 1 test (parts.test.ts): no such CLI here');
  expect(refused.lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped');
  expect(refused.status).not.toBe(0);
});

/** Runs planted tests inside the project, so that they find vitest. */
function runVitest(files: Readonly<Record<string, string>>, extraEnv: Readonly<Record<string, string>>) {
  mkdirSync('.cache', { recursive: true });
  const root = mkdtempSync(resolve('.cache', 'planted-tests-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const config = { test: { reporters: [resolve('scripts/lib/test-reporter.mjs')] } };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  const { COXSWAIN_TEST_REPORT: _, COXSWAIN_SKIPS: __, VITEST: ___, ...env } = process.env;
  const run = spawnSync(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, ...extraEnv },
  });
  return { status: run.status, lines: run.stdout.trimEnd().split('\n') };
}
