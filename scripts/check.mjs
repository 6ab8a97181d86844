// The quick checks, in parallel: format and lint, types, layers, dead code, generated files, prose.
import { existsSync, readdirSync } from 'node:fs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runAll } from './lib/run.mjs';

const node = (name, ...args) => [name, process.execPath, args];
const tool = (path) => `tools/node_modules/${path}`;
const tsc = 'node_modules/typescript/bin/tsc';
const cruiser = [tool('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs'];

if (!(await ensureInstalled('tools'))) {
  console.error('the checkers could not be installed: see the npm error above');
  process.exit(1);
}
// The second round needs declarations: examples read those of dist, tests and pages those of src.
const first = await runAll([
  [node('format and lint', tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.')],
  [node('types of src, and build', 'scripts/build.mjs')],
  [node('layers', ...cruiser, '--output-type', 'err-long', 'src')],
]);
const second = await runAll([
  [
    node('types of test', tsc, '-p', 'test'),
    node('types of console-ui', tsc, '-p', 'console-ui'),
    ...(existsSync('examples/tsconfig.json') ? [node('types of examples', tsc, '-p', 'examples')] : []),
  ],
  [
    node('dead code', tool('knip/bin/knip.js'), '--no-config-hints'),
    ...readdirSync('.github/workflows').map((name) =>
      node(`workflow ${name}`, tool('@action-validator/cli/cli.mjs'), `.github/workflows/${name}`),
    ),
    node('Dockerfile', tool('dockerfile-utils/bin/dockerfile-utils'), 'lint', 'Dockerfile'),
    node('tsconfigs in step', 'scripts/write-tsconfigs.mjs', '--check'),
    node('snippets in step', 'scripts/check-snippets.mjs'),
    node('prose', 'scripts/check-prose.mjs'),
    node(
      'option comments in step',
      '--import',
      './scripts/lib/sources.mjs',
      'scripts/write-option-comments.mjs',
      '--check',
    ),
    node(
      'reference pages in step',
      '--import',
      './scripts/lib/sources.mjs',
      'scripts/write-reference.mjs',
      '--check',
    ),
  ],
]);
process.exitCode = first && second ? 0 : 1;
