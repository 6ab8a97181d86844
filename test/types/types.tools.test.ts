import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The programs in `programs` compile as they stand: lines under @ts-expect-error must not, all others must.
const run = promisify(execFile);
const compilers = ['typescript-oldest', 'typescript-5.9', 'typescript', 'typescript-newest'];
const resolutions = { nodenext: 'NodeNext', bundler: 'Bundler' } as const;
const sources = resolve('test/types/programs');
let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'coxswain-types-'));
  mkdirSync(join(project, 'node_modules', '@types'), { recursive: true });
  symlinkSync(resolve('.'), join(project, 'node_modules', 'coxswain'), 'junction');
  for (const name of ['@types/node', 'undici-types', 'zod', '@ai-sdk/provider', 'json-schema']) {
    mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name), 'junction');
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const cases = compilers.flatMap((compiler) =>
  Object.keys(resolutions).map((resolution) => [compiler, resolution] as const),
);

test.each(cases)(
  '%s, %s: what should compile does, and nothing else',
  async (compiler, resolution) => {
    const folder = join(project, `${compiler}-${resolution}`);
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
