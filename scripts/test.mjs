// The test command: builds, fetches the real CLIs when they are missing, runs every test with coverage.
// Arguments go to vitest: `npm test -- test/unit/protocol`.
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { run } from './lib/run.mjs';

const node = process.execPath;
const picked = process.argv.slice(2);

const built = await run(node, ['node_modules/typescript/bin/tsc', '-b']);
if (built !== 0) process.exit(built);
if (!(await ensureInstalled('test/real-clis'))) {
  console.error('REAL CLIS COULD NOT BE INSTALLED: the tests that need them will be skipped and counted.');
}
const coverage = picked.length === 0 ? ['--coverage'] : [];
process.exitCode = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...coverage, ...picked]);
