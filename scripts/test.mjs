// The test command: installs what the tests need if it is missing, then runs them.
//   node scripts/test.mjs              those that `npm test` promises
//   node scripts/test.mjs --quick      the unit tests
//   node scripts/test.mjs --all        all of them, the unit tests with coverage
//   node scripts/test.mjs --versions   CLI versions in between, and programs of others
//   … --versions --if-changed          only if what they test changed since they last passed
//   … --write-times                    keeps how long it took, for CONTRIBUTING.md
// Other arguments go to vitest and select tests: `npm test -- test/unit/wire`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { ensureNatsServer, ensureOldNatsServer } from './lib/nats-server.mjs';
import { run } from './lib/run.mjs';
import { closingOf, joined } from './lib/test-report.mjs';
import { writeTimes } from './lib/test-times.mjs';
import { didVersionsPass, writeVersionsStamp } from './lib/versions-stamp.mjs';

const FLAGS = ['--quick', '--all', '--versions', '--if-changed', '--write-times'];
const started = performance.now();
const words = process.argv.slice(2);
const picked = words.filter((word) => !FLAGS.includes(word));
const command = ['quick', 'all', 'versions'].find((name) => words.includes(`--${name}`)) ?? 'some';
const isSome = command === 'some' && picked.length === 0;

if (words.includes('--if-changed') && didVersionsPass()) {
  console.log('test:versions passed on these sources before');
  process.exit(0);
}

const env = { ...process.env, ...(isSome ? { COXSWAIN_TESTS: 'some' } : {}) };
for (const [folder, what] of packages()) {
  if (await ensureInstalled(folder)) continue;
  console.error(`\n${what} COULD NOT BE INSTALLED (see the npm error above): their tests are skipped.\n`);
  env.COXSWAIN_MISSING = `${env.COXSWAIN_MISSING ?? ''} ${folder}`;
}
if (command === 'some' || command === 'all') await findServers();

const folder = mkdtempSync(join(tmpdir(), 'coxswain-tests-'));
env.COXSWAIN_TEST_REPORT = join(folder, 'reports.jsonl');
let failed = false;
for (const args of runs())
  failed =
    (await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], { env })) !== 0 ||
    failed;
close();

/** What vitest is called with; coverage is collected by the unit tests alone, whose floors it has. */
function runs() {
  const of = (...names) => names.flatMap((name) => ['--project', name]);
  if (picked.length > 0) {
    const projects = picked.some((word) => word.startsWith('--project'))
      ? []
      : of('unit', 'slow', 'real', 'browser', 'fleet');
    return [[...projects, ...picked]];
  }
  if (command === 'versions') return [of('versions')];
  if (command === 'quick') return [[...of('unit'), 'test/unit']];
  if (command === 'all') return [[...of('unit'), '--coverage'], of('slow', 'real', 'browser', 'fleet')];
  return [of('unit', 'real', 'browser', 'fleet')];
}

function packages() {
  const clis = ['test/real-clis', 'REAL CLIS'];
  const sdks = ['test/peers', 'OTHER SDKS'];
  if (command === 'quick') return [];
  if (isSome) return [clis, sdks];
  // A third-party program needs Node 22 or newer.
  const isOldNode = Number(process.versions.node.split('.')[0]) < 22;
  return [
    clis,
    sdks,
    ['test/clients', 'CLIENTS OF OTHERS'],
    ['test/acp', 'PROGRAMS OF OTHERS'],
    ['test/runtimes', 'OTHER RUNTIMES'],
    ['test/projects/today', 'PROJECTS WITH THE OFFICIAL SDK'],
    ['test/projects/before', 'PROJECTS WITH AN OLD OFFICIAL SDK'],
    ...(command === 'versions' ? [['test/bundlers', 'JEST, BUNDLERS AND NEXT.JS']] : []),
    // Jest is tried on Node 20 as well.
    ...(isOldNode || command === 'versions' ? [['test/nodes', 'OTHER NODES']] : []),
  ];
}

async function findServers() {
  const { reason } = await ensureNatsServer();
  if (reason !== undefined) {
    console.error(`\nNO NATS-SERVER: ${reason}: the fleet tests are skipped.\n`);
    env.COXSWAIN_NO_NATS = reason;
    env.COXSWAIN_MISSING = `${env.COXSWAIN_MISSING ?? ''} nats`;
  }
  if (isSome) return;
  const { reason: noOldOne } = await ensureOldNatsServer();
  if (noOldOne === undefined) return;
  console.error(`\nNO OLD NATS-SERVER: ${noOldOne}: the test that refuses it is skipped.\n`);
  env.COXSWAIN_NO_OLD_NATS = noOldOne;
}

/** Prints what all runs say together, as the very last lines. */
function close() {
  const reports = readFileSync(env.COXSWAIN_TEST_REPORT, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  const report = joined(reports);
  const { lines, refused } = closingOf(report, env);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `\n${lines.slice(0, -1).join('\n')}\n${Math.floor(seconds / 60)} min ${seconds % 60} s\n${lines.at(-1)}`,
  );
  process.exitCode = failed || refused ? 1 : 0;
  if (process.exitCode !== 0 || picked.length > 0) return;
  if (words.includes('--write-times')) writeTimes(command, { report, seconds });
  if (command === 'versions') writeVersionsStamp();
}
