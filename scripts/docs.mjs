// Builds the documentation site from docs/ into site/dist; `--dev` serves it while you write, on a free port.
import { rmSync } from 'node:fs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { run } from './lib/run.mjs';

if (!(await ensureInstalled('site'))) {
  console.error('the site generator could not be installed: see the npm error above');
  process.exit(1);
}
rmSync('docs/api', { recursive: true, force: true });
const steps = [
  ['scripts/build.mjs'],
  ['site/node_modules/typedoc/bin/typedoc', '--options', 'site/typedoc.json', '--logLevel', 'Error'],
  ['site/node_modules/vitepress/bin/vitepress.js', process.argv.includes('--dev') ? 'dev' : 'build', 'site'],
];
for (const step of steps) {
  const code = await run(process.execPath, step);
  if (code !== 0) process.exit(code);
}
