// Repeats tests beside busy loops, to find those that fail by chance:
//   npm run test:soak -- [--times 20] [--load 2] [--project fleet] [files …]
// Prints a line per round, and the log of each that fails; a seed is in the name of its test. Without files it runs those that
// depend on time.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { runQuietly } from './lib/run.mjs';

const TIMED = ['test/faults', 'test/unit/server/manager', 'test/fleet', 'test/browser', 'test/real'];
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

mkdirSync(LOGS, { recursive: true });
const busy = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
// The loops never end by themselves, and must not keep this process alive after the last round.
for (const child of busy) child.unref();
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

let failures = 0;
for (let round = 1; round <= times; round += 1) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files];
  const { code, output, ms } = await runQuietly([`round ${round}`, process.execPath, vitest]);
  const counts = /\d+ passed, \d+ failed, \d+ skipped/.exec(output)?.[0] ?? 'no tests ran';
  console.log(
    `${code === 0 ? 'ok  ' : 'FAIL'} round ${round} of ${times}: ${counts} (${Math.round(ms / 1000)} s)`,
  );
  if (code === 0) continue;
  failures += 1;
  const log = join(LOGS, `round-${round}.log`);
  writeFileSync(log, output);
  console.log(
    `${failedTests(output)
      .map((line) => `     ${line}`)
      .join('\n')}\n     log: ${log}`,
  );
}
console.log(failures === 0 ? `${times} rounds without a failure` : `${failures} of ${times} rounds failed`);
process.exitCode = failures === 0 ? 0 : 1;

function failedTests(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  return [...new Set(lines.filter((line) => /^\W*FAIL\W/.test(line)))];
}

function wholeNumber(name, text) {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number, not ${text}`);
  process.exit(2);
}
