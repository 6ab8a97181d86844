import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const examples = readdirSync('examples').filter((name) => name.endsWith('.ts'));
let folder = '';

beforeAll(() => {
  // Inside the package, so that its own name leads to the build.
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync(resolve('.cache/examples-'));
  // `npm run check` checks their types.
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  for (const name of examples) {
    const { outputText } = ts.transpileModule(readFileSync(join('examples', name), 'utf8'), {
      compilerOptions,
    });
    writeFileSync(join(folder, name.replace(/ts$/, 'js')), outputText);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runExample = (path: string) => {
  const { PATH, HOME } = process.env;
  return run(process.execPath, [path], { env: { PATH, HOME } });
};

describe.concurrent('an example', () => {
  test.each(examples)('%s runs unchanged, without a key, and all its checks pass', async (name) => {
    await expect(runExample(join(folder, name.replace(/ts$/, 'js')))).resolves.toMatchObject({ stderr: '' });
  });

  test.each(examples)('%s says in its first line what it shows, and has checks', (name) => {
    const source = readFileSync(join('examples', name), 'utf8');
    expect(source).toMatch(/^\/\/ \S.*\.\n/);
    expect(source).toMatch(/^assert\./m);
    expect(source).toMatch(/from 'coxswain[/']/);
    expect(source).not.toMatch(/from '\.\.?\//);
  });

  test('fails loudly if a check fails', async () => {
    const source = readFileSync(join(folder, '01-ask.js'), 'utf8');
    const broken = join(folder, 'broken.js');
    writeFileSync(broken, source.replace('/whole turn/', '/something else/'));
    await expect(runExample(broken)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('AssertionError'),
    });
  });
});
