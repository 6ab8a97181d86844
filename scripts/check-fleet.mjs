// Breaks fleets of processes by chance, one after the other, and counts the outcomes of messages:
//   npm run check:fleet -- [--runs 20] [--seed 1] [--steps 20] [--setup three]
// Setups: one server; three; three that lose each other ("networks"); one with a small disk; and one that goes back to an
// older copy of its store ("rollback"), where what is lost with a killed worker is counted.
// A line per run; the same seed makes the same plan. Needs a build and a nats-server.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureNatsServer } from './lib/nats-server.mjs';
import { run } from './lib/run.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '20' },
    setup: { type: 'string' },
  },
});
const { reason } = await ensureNatsServer();
if (reason !== undefined) {
  console.error(`no nats-server: ${reason}`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'coxswain-checker-'));
const report = join(folder, 'runs.jsonl');
const env = {
  ...process.env,
  CHECKER_RUNS: values.runs,
  CHECKER_SEED: values.seed,
  CHECKER_STEPS: values.steps,
  ...(values.setup === undefined ? {} : { CHECKER_SETUP: values.setup }),
  CHECKER_REPORT: report,
};
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'fleet',
  'test/fleet/checker.fleet.test.ts',
];
process.exitCode = await run(process.execPath, args, { env });
print(
  readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)),
);
rmSync(folder, { recursive: true });

/** A line per run, and one for all of them. */
function print(verdicts) {
  const counts = verdicts.map(({ seed, setup, ...outcomes }) => ({
    seed,
    setup,
    ...Object.fromEntries(Object.entries(outcomes).map(([name, each]) => [name, each.length ?? each])),
  }));
  for (const { seed, setup, ...each } of counts) console.log(`seed ${seed} (${setup}): ${textOf(each)}`);
  const { seed: _seed, setup: _setup, ...names } = counts[0];
  const sum = (name) => counts.reduce((total, each) => total + each[name], 0);
  const all = Object.fromEntries(Object.keys(names).map((name) => [name, sum(name)]));
  console.log(`${counts.length} runs: ${textOf(all)}`);
}

function textOf(counts) {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
