// The quick checks, side by side: format and lint, types, layers, dead code, generated files in step.
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runAll } from './lib/run.mjs';

const node = process.execPath;
const tool = (path) => `tools/node_modules/${path}`;

if (!(await ensureInstalled('tools'))) {
  console.error('the checkers could not be installed: see the npm error above');
  process.exit(1);
}
const ok = await runAll([
  ['biome', node, [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']],
  ['types of src', node, ['node_modules/typescript/bin/tsc', '-b']],
  ['types of test', node, ['node_modules/typescript/bin/tsc', '-p', 'test']],
  [
    'layers',
    node,
    [
      tool('dependency-cruiser/bin/dependency-cruise.mjs'),
      'src',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
    ],
  ],
  ['dead code', node, [tool('knip/bin/knip.js')]],
  ['tsconfigs in step', node, ['scripts/write-tsconfigs.mjs', '--check']],
]);
process.exitCode = ok ? 0 : 1;
