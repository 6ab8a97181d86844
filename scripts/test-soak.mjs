// Repeats tests beside busy loops, to find those that fail by chance:
//   npm run test:soak -- [--times 20] [--load 2] [--project fleet] [files …]
// Prints a line per round, and of each that fails what failed and why, with the seed, and where the log is. A test that is
// skipped is not proved: install what the closing lines name. Without files it runs those that depend on time.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runQuietly } from './lib/run.mjs';
import { allPackages, findServers, installPackages } from './lib/test-needs.mjs';
import { closingOf } from './lib/test-report.mjs';

const TIMED = ['faults', 'integration', 'unit/server/manager', 'fleet', 'browser', 'real'].map(
  (folder) => `test/${folder}`,
);
const LOGS = '.cache/soak';

const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    load: { type: 'string', default: '2' },
    project: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const [times, load] = ['times', 'load'].map((name) => wholeNumber(name, values[name]));
const files = positionals.length > 0 ? positionals : TIMED;
const names = values.project.length > 0 ? values.project : ['unit', 'slow', 'real', 'browser', 'fleet'];
const projects = names.flatMap((name) => ['--project', name]);

const env = { ...process.env };
await installPackages(allPackages(), env);
await findServers(env, { alsoOld: true });

mkdirSync(LOGS, { recursive: true });
// Each soak has its own: the logs of an earlier one stay.
const logs = mkdtempSync(join(LOGS, `${new Date().toISOString().slice(0, 16).replaceAll(':', '')}-`));
const busy = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
// The loops never end by themselves, and must not keep this process alive after the last round.
for (const child of busy) child.unref();
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
});
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stopped.abort();
    process.exit(130);
  });

let failures = 0;
for (let round = 1; round <= times; round += 1) {
  const { isGood, text } = await play(round);
  if (!isGood) failures += 1;
  console.log(text);
}
console.log(failures === 0 ? `${times} rounds without a failure` : `${failures} of ${times} rounds failed`);
process.exitCode = failures === 0 ? 0 : 1;

/** Runs the tests once. */
async function play(round) {
  const reports = join(logs, `round-${round}.jsonl`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files];
  const given = { env: { ...env, COXSWAIN_TEST_REPORT: reports }, signal: stopped.signal };
  const { code, output, ms } = await runQuietly([`round ${round}`, process.execPath, vitest, given]);
  const report = reportIn(reports);
  const closing = report === undefined ? ['no tests ran'] : closingOf({ ...report, files: [] }, env).lines;
  const head = `round ${round} of ${times}: ${closing.at(-1)} (${Math.round(ms / 1000)} s)`;
  // A round without tests proves nothing.
  if (code === 0 && report?.counts.passed > 0) return { isGood: true, text: `ok   ${head}` };
  const log = join(logs, `round-${round}.log`);
  writeFileSync(log, output);
  const why = closing.slice(0, -1).map((line) => `     ${line}`);
  return { isGood: false, text: [`FAIL ${head}`, ...why, `     log: ${log}`].join('\n') };
}

/** What a round reported; undefined if it could not start. */
function reportIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(path, { force: true });
  }
}

function wholeNumber(name, text) {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number, not ${text}`);
  process.exit(2);
}
