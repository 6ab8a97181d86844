// How long each test command took when it was last measured: kept in test/times.json, shown in CONTRIBUTING.md, and the
// base of the limits in .github/workflows.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { projectTimes, slowestFiles } from './test-report.mjs';

const FILE = 'test/times.json';

/** A workflow may take this many times as long as the machine that was measured. */
const ALLOWANCE = 3;

/** What each measured command is called. */
const COMMANDS = {
  quick: 'npm run test:quick',
  some: 'npm test',
  all: 'npm run test:all',
  versions: 'npm run test:versions',
};

/** Keeps the times of a whole run. */
export function writeTimes(command, { report, seconds }) {
  const { files, counts } = report;
  const slowest = slowestFiles(files).map(({ file, ms }) => ({ file, seconds: Math.round(ms / 1000) }));
  const time = { seconds, tests: counts.passed, files: files.length, projects: projectTimes(files), slowest };
  writeFileSync(FILE, `${JSON.stringify({ ...readTimes(), [command]: time }, null, 2)}\n`);
  console.log(
    `wrote ${FILE}; npm run reference brings CONTRIBUTING.md and the limits of workflows up to date`,
  );
}

export function readTimes() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
}

/** The tables for CONTRIBUTING.md. */
export function timesTables(times) {
  const measured = Object.entries(COMMANDS).filter(([name]) => times[name] !== undefined);
  const rows = measured.map(([name, command]) => {
    const { seconds, tests, files, projects } = times[name];
    const parts = projects.map(({ project, seconds: each }) => `${project} ${each} s`).join(', ');
    return `| \`${command}\` | ${minutes(seconds)} | ${tests} in ${files} files | ${parts} |`;
  });
  const unknown = Object.keys(COMMANDS).filter((name) => times[name] === undefined);
  const slow = (times.all ?? times.some)?.slowest ?? [];
  return [
    'On two cores with warm caches. The time in tests is added up over files that run side by side.',
    '',
    '| command | takes | tests | time in tests |\n|---|---|---|---|',
    ...rows,
    '',
    ...(unknown.length === 0
      ? []
      : [`Not measured: ${unknown.map((name) => `\`${COMMANDS[name]}\``).join(', ')}.`, '']),
    `Slowest files: ${slow.map(({ file, seconds }) => `\`${file}\` ${seconds} s`).join(', ')}.`,
  ].join('\n');
}

/** A workflow whose limits follow from the times: each `timeout-minutes: N # npm test` names its command. */
export function withLimits(workflow, times) {
  return workflow.replace(/timeout-minutes: \d+ # (.+)$/gm, (line, command) => {
    const name = Object.keys(COMMANDS).find((each) => COMMANDS[each] === command);
    if (times[name] === undefined) return line;
    const limit = Math.ceil((times[name].seconds * ALLOWANCE) / 300) * 5;
    return `timeout-minutes: ${limit} # ${command}`;
  });
}

function minutes(seconds) {
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`;
}
