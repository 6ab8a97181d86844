import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The check of the public surface, on a made-up package: what it must find, and what it must accept.
const entryPoints = {
  '.': { source: 'src/main/index.ts' },
  './other': { source: 'src/other/index.ts' },
};
const declarations = {
  'main/index.d.ts': `import type { Hidden } from './hidden.js';
import type { FromOther } from '../other/index.js';
/** Uses a type that nobody can import. */
export declare function wrong(given: Hidden): void;
/** Uses one that another entry point exports. */
export declare function right(given: FromOther): void;
/** Uses one in place that nobody can import. */
export declare function inPlace(given: import('./hidden.js').AlsoHidden): void;
export declare function bare(): void;
/** Has a member without a sentence. */
export interface Half {
    readonly told: string;
}
`,
  'main/hidden.d.ts': 'export interface Hidden { a: 1 }\nexport interface AlsoHidden { b: 1 }\n',
  'other/index.d.ts':
    '/** Is exported here alone. */\nexport interface FromOther {\n  /** Something. */\n  c: 1;\n}\n',
};

const root = resolve(mkdtempSync(join(tmpdir(), 'coxswain-api-')));

beforeAll(() => {
  cpSync('scripts', join(root, 'scripts'), { recursive: true });
  for (const name of ['node_modules', 'tools']) symlinkSync(resolve(name), join(root, name), 'junction');
  plant('package.json', '{"name":"coxswain","version":"0.0.0","type":"module"}');
  for (const [path, text] of Object.entries(declarations)) plant(`.cache/public-types/${path}`, text);
  mkdirSync(join(root, 'api'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('forgotten exports, missing sentences and outdated reports are found, and nothing else', {
  timeout: 180_000,
}, () => {
  expect(problems({ write: true }).toSorted()).toEqual([
    '.: The symbol "AlsoHidden" needs to be exported by the entry point index.d.ts',
    '.: The symbol "Hidden" needs to be exported by the entry point index.d.ts',
    '.: no sentence above "function bare(): void;"',
    '.: no sentence above "readonly told: string;"',
  ]);
  expect(existsSync(join(root, 'api/sdk.api.md'))).toBe(true);

  plant('.cache/public-types/main/hidden.d.ts', 'export {};\n');
  plant('.cache/public-types/main/index.d.ts', '/** One more. */\nexport declare function more(): void;\n');
  const [changed, ...others] = problems({ write: false });
  expect(changed).toContain('api/sdk.api.md is not what . offers now');
  expect(others).toEqual([]);
});

function problems(options: { readonly write: boolean }): readonly string[] {
  const program = `import { apiProblems } from './scripts/lib/package/api-reports.mjs';
    console.log('\\n' + JSON.stringify(apiProblems(${JSON.stringify(entryPoints)}, ${JSON.stringify(options)})));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '[]');
}

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
