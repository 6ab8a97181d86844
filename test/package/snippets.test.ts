import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coxswain-snippets-'));
  mkdirSync(join(root, 'examples'));
  writeFileSync(
    join(root, 'examples/01-ask.ts'),
    "import { ask } from 'coxswain';\n\nif (true) {\n  // #region call\n  await ask('why $1?');\n  // #endregion\n}\n",
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('code in the pages', () => {
  test('is refused if it differs from its program, and fixed by --write', () => {
    page('<!-- example: 01-ask.ts#call -->\n```ts\nold();\n```\nafter\n');
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('README.md is not in step') });
    expect(check('--write').status).toBe(0);
    expect(check().status).toBe(0);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(
      "<!-- example: 01-ask.ts#call -->\n```ts\nawait ask('why $1?');\n```\nafter\n",
    );
  });

  test('can be a whole program, without region markers', () => {
    page('<!-- example: 01-ask.ts -->\n```ts\n```\n');
    check('--write');
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(
      "<!-- example: 01-ask.ts -->\n```ts\nimport { ask } from 'coxswain';\n\nif (true) {\n  await ask('why $1?');\n}\n```\n",
    );
  });

  test.each([
    ['a program that is missing', '<!-- example: 02-none.ts -->\n```ts\n```\n'],
    ['a region that is missing', '<!-- example: 01-ask.ts#none -->\n```ts\n```\n'],
    ['a mark without a fence', '<!-- example: 01-ask.ts -->\n\ntext\n'],
  ])('is refused for %s', (_, text) => {
    page(text);
    expect(check().status).toBe(1);
  });

  test('need not come from a program', () => {
    page('```ts\nanything();\n```\n');
    expect(check().status).toBe(0);
  });
});

function page(text: string): void {
  writeFileSync(join(root, 'README.md'), text);
}

function check(...args: string[]) {
  return spawnSync(process.execPath, [resolve('scripts/check-snippets.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
  });
}
