import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshProject, makeFreshProject } from '../support/fresh-project.js';

// The programs in `programs` compile unchanged: lines under @ts-expect-error must fail, all others must compile. The package
// is the tarball, in a project with only what its users have: none of our types, such as those of `ws`, are available.
const run = promisify(execFile);
const compilers = ['typescript-oldest', 'typescript-5.9', 'typescript', 'typescript-newest'];
const resolutions = { node16: 'Node16', nodenext: 'NodeNext', bundler: 'Bundler' } as const;
const sources = resolve('test/types/programs');
let project: FreshProject;

beforeAll(() => {
  project = makeFreshProject();
  // What npm installs with the package or its users have: types of Node, and the optional peers of some entry points.
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const peers = Object.keys(peerDependencies).filter((name) => existsSync(join('node_modules', name)));
  // The types of one of those peers need types that it does not include.
  for (const name of ['@types/node', 'undici-types', '@types/json-schema', ...peers]) project.link(name);
}, 120_000);
afterAll(() => project.remove());

// Node16 differs from NodeNext only for future compilers, so one of them is enough.
const cases = compilers.flatMap((compiler) =>
  Object.keys(resolutions)
    .filter((resolution) => resolution !== 'node16' || compiler === 'typescript-oldest')
    .map((resolution) => [compiler, resolution] as const),
);

test.each(cases)(
  '%s, %s: valid programs compile, and invalid ones do not',
  async (compiler, resolution) => {
    const folder = join(project.folder, `${compiler}-${resolution}`);
    mkdirSync(folder);
    symlinkSync(sources, join(folder, 'programs'), 'junction');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify(config(resolution as keyof typeof resolutions)),
    );
    const bin = JSON.parse(readFileSync(`tools/node_modules/${compiler}/package.json`, 'utf8')).bin.tsc;
    const tsc = resolve('tools/node_modules', compiler, bin);
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  },
  120_000,
);

test('the programs import every entry point', () => {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  const program = readFileSync(join(sources, 'entry-points.ts'), 'utf8');
  const missing = paths.filter((path) => !program.includes(`from '${join(name, path)}'`));
  expect(missing).toEqual([]);
});

function config(resolution: keyof typeof resolutions) {
  const kind = resolutions[resolution];
  return {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'ESNext.Disposable'],
      module: kind === 'Bundler' ? 'ESNext' : kind,
      moduleResolution: kind,
      strict: true,
      skipLibCheck: false,
      preserveSymlinks: true,
      noEmit: true,
      types: ['node'],
    },
    include: ['programs'],
  };
}
