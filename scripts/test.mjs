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
import { run } from './lib/run.mjs';
import { allPackages, findServers, installPackages, SOME_PACKAGES } from './lib/test-needs.mjs';
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
await installPackages(packages(), env);
if (command === 'some' || command === 'all') await findServers(env, { alsoOld: !isSome });

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
  if (command === 'quick') return [];
  if (isSome) return SOME_PACKAGES;
  if (command !== 'versions') return allPackages();
  return [...allPackages({ alsoNodes: true }), ['test/bundlers', 'JEST, BUNDLERS AND NEXT.JS']];
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
