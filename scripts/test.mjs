// The test command: builds, fetches real CLIs and other programs when they are missing, runs every test with coverage.
// Arguments go to vitest and pick a part, without coverage: `npm test -- test/unit/protocol`.
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { run } from './lib/run.mjs';

const picked = process.argv.slice(2);
const projects = picked.includes('--project')
  ? []
  : ['unit', 'real', 'browser'].flatMap((name) => ['--project', name]);
const coverage = picked.length === 0 ? ['--coverage'] : [];

const built = await run(process.execPath, ['scripts/build.mjs']);
if (built !== 0) process.exit(built);
// The program of others wants Node 22 or newer.
const isOldNode = Number(process.versions.node.split('.')[0]) < 22;
for (const [folder, what] of [
  ['test/real-clis', 'REAL CLIS'],
  ['test/peers', 'OTHER SDKS'],
  ['test/acp', 'PROGRAMS OF OTHERS'],
  ...(isOldNode ? [['test/nodes', 'OTHER NODES']] : []),
]) {
  if (await ensureInstalled(folder)) continue;
  console.error(`\n${what} COULD NOT BE INSTALLED (see the npm error above).`);
  console.error('The tests that need them are skipped, named and counted at the end.\n');
}
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...coverage, ...picked];
process.exitCode = await run(process.execPath, vitest);
