import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emulatorProgram } from '../../src/lab/testing/emulator/program/emulator-program.js';

// The programs that pages tell users to save as .mjs, run as they stand: they are JavaScript for every supported Node.
const run = promisify(execFile);
const codeOf = (page: string, language: string) =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );

let folder = '';
beforeAll(() => {
  // Inside the package, so that its own name leads to the build.
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync(resolve('.cache/pages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function runProgram(name: string, code: string) {
  const path = join(folder, name);
  writeFileSync(path, code);
  const { PATH, HOME } = process.env;
  return run(process.execPath, [path], { env: { PATH, HOME, CLAUDE_CODE_PATH: emulatorProgram() } });
}

describe.concurrent('a program on a page', () => {
  test('README.md: first.mjs streams an answer', async () => {
    const [code = ''] = codeOf('README.md', 'ts');
    const { stdout, stderr } = await runProgram('first.mjs', code);
    expect([stderr, stdout.trim().split('\n').at(-1)]).toEqual(['', 'success']);
  });

  const steps = codeOf('docs/start/ten-minutes.md', 'js');
  const printed = [
    /complete turn/,
    /success, 0\.\d+ USD/,
    /asked for Bash/,
    /called for/,
    /interrupted/,
    /works/,
  ];
  test.each(steps.map((code, at) => [at + 1, code, printed[at]] as const))(
    'ten-minutes.md: step %i runs',
    async (step, code, expected = /never/) => {
      const { stdout, stderr } = await runProgram(`step-${step}.mjs`, code);
      expect(stderr).toBe('');
      expect(stdout).toMatch(expected);
    },
  );

  test('ten-minutes.md has as many programs as it says', () => {
    expect(steps).toHaveLength(printed.length);
    expect(readFileSync('docs/start/ten-minutes.md', 'utf8')).toContain('these six steps');
  });

  test('test-your-app-without-a-key.md: emulated.mjs prints what the page says', async () => {
    const [code = ''] = codeOf('docs/how-to/test-your-app-without-a-key.md', 'js');
    const { stdout, stderr } = await runProgram('emulated.mjs', code);
    expect([stderr, stdout]).toEqual(['', 'asked for Bash\nThere is a README.\nsuccess\n']);
  });
});
