// The test command: installs real CLIs and other programs if they are missing, then runs the tests: with `--all` all of them,
// with coverage; without it all except most of those on real CLIs and in a browser. Other arguments go to vitest and select
// tests: `npm test -- test/unit/wire`.
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { ensureNatsServer, ensureOldNatsServer } from './lib/nats-server.mjs';
import { run } from './lib/run.mjs';

const isWhole = process.argv.includes('--all');
const picked = process.argv.slice(2).filter((word) => word !== '--all');
const projects = picked.includes('--project')
  ? []
  : ['unit', 'real', 'browser', 'fleet'].flatMap((name) => ['--project', name]);
const coverage = isWhole && picked.length === 0 ? ['--coverage'] : [];
const env = { ...process.env, ...(isWhole || picked.length > 0 ? {} : { COXSWAIN_TESTS: 'some' }) };

for (const [folder, what] of needed()) {
  if (await ensureInstalled(folder)) continue;
  console.error(`\n${what} COULD NOT BE INSTALLED (see the npm error above).`);
  console.error('The tests that need them are skipped, named and counted at the end.\n');
}
const { reason } = await ensureNatsServer();
if (reason !== undefined) {
  console.error(`\nNO NATS-SERVER: ${reason}.\nThe fleet tests are skipped, named and counted at the end.\n`);
  env.COXSWAIN_NO_NATS = reason;
}
const { reason: noOldOne } = await ensureOldNatsServer();
if (noOldOne !== undefined) {
  console.error(
    `\nNO OLD NATS-SERVER: ${noOldOne}.\nThe test that refuses it is skipped, named and counted at the end.\n`,
  );
  env.COXSWAIN_NO_OLD_NATS = noOldOne;
}
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...coverage, ...picked];
process.exitCode = await run(process.execPath, vitest, { env });

function needed() {
  const always = [
    ['test/real-clis', 'REAL CLIS'],
    ['test/peers', 'OTHER SDKS'],
    ['test/clients', 'CLIENTS OF OTHERS'],
  ];
  if (env.COXSWAIN_TESTS === 'some') return always;
  // The third-party program needs Node 22 or newer.
  const isOldNode = Number(process.versions.node.split('.')[0]) < 22;
  const others = [
    ['test/acp', 'PROGRAMS OF OTHERS'],
    ['test/runtimes', 'OTHER RUNTIMES'],
    ['test/projects/today', 'PROJECTS WITH THE OFFICIAL SDK'],
    ['test/projects/before', 'PROJECTS WITH AN OLD OFFICIAL SDK'],
  ];
  return [...always, ...others, ...(isOldNode ? [['test/nodes', 'OTHER NODES']] : [])];
}
