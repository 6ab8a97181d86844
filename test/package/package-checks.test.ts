import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// A made-up package with one fault of each kind, for our own checks.
const entryPoints = {
  './pure': { is: 'x', source: 'src/pure/index.ts', npm: [], node: false },
  './stale': { is: 'x', source: 'src/stale/index.ts', npm: ['zod'], node: true },
  './gone': { is: 'x', source: 'src/gone/index.ts', npm: [], node: true },
};
const manifest = {
  name: 'coxswain',
  type: 'module',
  exports: {
    './pure': './dist/pure.js',
    './stale': './dist/other.js',
    './gone': './dist/gone.js',
    './unlisted': './dist/unlisted.js',
    './package.json': './package.json',
  },
};
const files = {
  'package.json': JSON.stringify(manifest),
  'src/pure/index.ts': '',
  'src/stale/index.ts': '',
  'src/forgotten/index.ts': '',
  'architecture.json': '{"pure":{},"stale":{},"forgotten":{}}',
  'dist/pure.js': "import './deeper.js'; import 'zod';",
  'dist/deeper.js': "import 'node:fs';",
  'dist/other.js': "import 'node:fs';",
  'node_modules/zod/package.json': '{"name":"zod","type":"module","exports":"./index.js"}',
  'node_modules/zod/index.js': "import 'node:os';",
  'packed/content/clean.js': 'nothing',
  'packed/file.tgz': 'x'.repeat(3_000_001),
};

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-entry-points-')));
  cpSync('scripts', join(root, 'scripts'), { recursive: true });
  for (const [path, text] of Object.entries(files)) plant(path, text);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the checks of the package', () => {
  test('find every difference between package.json, the declared entry points and src', () => {
    expect(
      ask(
        'entry-point-checks',
        `entryPointProblems(${JSON.stringify(manifest)}, ${JSON.stringify(entryPoints)})`,
      ),
    ).toEqual([
      './unlisted is in package.json, but not in api/entry-points.json',
      'package.json should export ./stale as ./dist/stale.js',
      'src/gone/index.ts is an entry point, but does not exist',
      'src/forgotten/index.ts exists, but is not an entry point: only entry points are called index.ts',
    ]);
  });

  test('find what an entry point loads, also through its own files, but not what a package loads itself', () => {
    const { './gone': _, ...present } = entryPoints;
    expect(ask('entry-point-checks', `await loadProblems('coxswain', ${JSON.stringify(present)})`)).toEqual([
      'importing ./pure loads the package zod, which api/entry-points.json does not allow',
      './pure should run anywhere, but imports node:fs',
      'importing ./stale no longer loads zod: take it out of api/entry-points.json',
    ]);
  });

  test('find a tarball that is too large, and a path of this machine in its files', () => {
    plant('packed/content/deep/traced.js', `const here = '${root}/src';`);
    expect(ask('tarball', `tarballProblems({ file: 'packed/file.tgz', content: 'packed/content' })`)).toEqual(
      [
        expect.stringMatching(/^the tarball has 3000001 bytes, more than \d+$/),
        `packed/content/deep/traced.js mentions ${root}, a folder of this machine`,
      ],
    );
  });
});

function ask(library: string, expression: string): unknown {
  const [name = ''] = /\w+Problems/.exec(expression) ?? [];
  const program = `import { ${name} } from './scripts/lib/package/${library}.mjs';
    console.log(JSON.stringify(${expression}));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
}

function plant(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
