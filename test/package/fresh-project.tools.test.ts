import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshProject, makeFreshProject } from '../support/fresh-project.js';

// A new, strict project outside the repository, in which the README's code is compiled unchanged.
let project: FreshProject;

beforeAll(() => {
  project = makeFreshProject();
  for (const name of ['@types/node', 'undici-types']) project.link(name);
  mkdirSync(join(project.folder, 'src'));
  for (const [index, code] of codeOf('README.md').entries()) {
    writeFileSync(join(project.folder, 'src', `readme-${index + 1}.ts`), code);
  }
  writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify(config));
}, 120_000);
afterAll(() => project.remove());

test.for(['20', '22'])(
  'Node %s: the README’s code compiles as it stands',
  { timeout: 300_000 },
  (line, { skip }) => {
    const node = resolve(`test/nodes/node_modules/node-${line}-${process.platform}-${process.arch}/bin/node`);
    if (!existsSync(node)) skip(`Node ${line} is not installed in test/nodes: run npm run test:nodes once`);
    expect(run(node, '--version').stdout).toMatch(new RegExp(`^v${line}\\.`));
    expect(run(node, resolve('node_modules/typescript/bin/tsc'), '-p', project.folder).stdout).toBe('');
    const program = "const { ask } = await import('coxswain'); console.log(typeof ask);";
    expect(run(node, '--input-type=module', '--eval', program)).toMatchObject({
      stderr: '',
      stdout: 'function\n',
    });
  },
);

function run(node: string, ...args: string[]) {
  const { PATH, HOME } = process.env;
  return spawnSync(node, args, { cwd: project.folder, encoding: 'utf8', env: { PATH, HOME } });
}

/** The TypeScript of a page. */
function codeOf(page: string): readonly string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '');
}

const config = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable'],
    module: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
  },
  include: ['src'],
};
