// What a test run says at its end: the slowest files, the time of each project, what failed, skipped tests by reason, the counts.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The optional programs that a machine may declare missing, and the files whose skips that excuses. */
const EXCUSES = {
  chromium: (file) => file.endsWith('.browser.test.ts'),
  firefox: (file) => file.endsWith('-firefox.browser.test.ts'),
  shells: (file) => /-shells(\.\w+)?\.test\.ts$/.test(file),
  sandboxes: (file) => /(?:spawners|bubblewrap|sandbox|sandbox-flag)\.\w+\.test\.ts$/.test(file),
  podman: (file) => file.endsWith('podman.real.test.ts'),
  nats: (file) => file.endsWith('.fleet.test.ts'),
};

const SLOWEST = 10;
const MESSAGE_LENGTH = 600;

/** Reads a run from vitest's modules into plain data. */
export function reportOf(modules, unhandledErrors) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures = unhandledErrors.map((error) => failureOf('an unhandled error', [error]));
  const skipped = [];
  const files = [];
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    const file = module.relativeModuleId;
    for (const test of tests) counts[test.result().state] += 1;
    for (const test of tests.filter((each) => each.result().state === 'skipped'))
      skipped.push({ file, reason: test.result().note ?? 'no reason given' });
    failures.push(...failuresOf(module, tests));
    const { duration, collectDuration } = module.diagnostic();
    files.push({ project: module.project.name, file, ms: duration + collectDuration, tests: tests.length });
  }
  counts.failed = failures.length;
  return { counts, failures, skipped, files };
}

/** The failed tests of a file. A file that could not be loaded, or a failed beforeAll, has none, and is one itself. */
function failuresOf(module, tests) {
  const file = module.relativeModuleId;
  const failed = tests.filter((test) => test.result().state === 'failed');
  const broken = [module, ...module.children.allSuites()].filter((part) => part.errors().length > 0);
  return [
    ...failed.map((test) => failureOf(`${file} > ${test.fullName}`, test.result().errors)),
    ...broken.map((part) => failureOf(part === module ? file : `${file} > ${part.fullName}`, part.errors())),
  ];
}

/** What failed, and the start of why: a whole run prints too much to search for it. */
function failureOf(name, errors) {
  const [error] = errors;
  const frame = error?.stacks?.[0];
  return {
    name,
    message: stripVTControlCharacters(String(error?.message ?? error)).slice(0, MESSAGE_LENGTH),
    ...(frame === undefined ? {} : { at: `${relative(process.cwd(), frame.file)}:${frame.line}` }),
  };
}

/** Adds up the reports of several runs. */
export function joined(reports) {
  const sum = (name) => reports.reduce((total, { counts }) => total + counts[name], 0);
  return {
    counts: { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    failures: reports.flatMap(({ failures }) => failures),
    skipped: reports.flatMap(({ skipped }) => skipped),
    files: reports.flatMap(({ files }) => files),
  };
}

/**
 * The closing lines, and whether a skip makes the run a failure: only if `COXSWAIN_SKIPS` is `fail`, and not for the
 * programs and side packages that `COXSWAIN_MISSING` names.
 */
export function closingOf({ counts, failures, skipped, files }, env = process.env) {
  const missing = (env.COXSWAIN_MISSING ?? '').split(/[\s,]+/).filter(Boolean);
  const isExcused = ({ file, reason }) =>
    // The other names are folders with packages: a skip that needs one names it.
    missing.some((name) => (name in EXCUSES ? EXCUSES[name](file) : reason.includes(name)));
  const refused = env.COXSWAIN_SKIPS === 'fail' && !skipped.every(isExcused);
  return {
    lines: [
      ...timeLines(files),
      ...failures.flatMap(failureLines),
      ...skipLines(skipped),
      ...(refused ? ['A skipped test is a failure here (COXSWAIN_SKIPS=fail).'] : []),
      `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
    ],
    refused,
  };
}

/** The files, tests and seconds of each project, longest first. */
export function projectTimes(files) {
  const times = new Map();
  for (const { project, ms, tests } of files) {
    const so = times.get(project) ?? { project, files: 0, tests: 0, ms: 0 };
    times.set(project, { project, files: so.files + 1, tests: so.tests + tests, ms: so.ms + ms });
  }
  return [...times.values()]
    .map(({ ms, ...time }) => ({ ...time, seconds: Math.round(ms / 1000) }))
    .toSorted((one, other) => other.seconds - one.seconds);
}

/** The files that took longest. */
export function slowestFiles(files) {
  return files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
}

function timeLines(files) {
  if (files.length <= SLOWEST) return [];
  return [
    'Slowest files:',
    ...slowestFiles(files).map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`),
    'Time in tests, added up over files that run side by side:',
    ...projectTimes(files).map(
      ({ project, seconds, files: count, tests }) =>
        `${String(seconds).padStart(8)} s  ${project}: ${tests} tests in ${count} files`,
    ),
  ];
}

function failureLines({ name, message, at }) {
  return [
    `FAILED ${name}`,
    ...[...message.split('\n'), ...(at ? [`at ${at}`] : [])].map((line) => `     ${line}`),
  ];
}

/** One line per reason: a missing program can skip a hundred tests. */
function skipLines(skipped) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const files = skipped.filter((each) => each.reason === reason).map(({ file }) => file);
    const [first, ...others] = [...new Set(files)];
    const where = others.length === 0 ? first : `${first} and ${others.length} more`;
    return `SKIPPED ${files.length} ${files.length === 1 ? 'test' : 'tests'} (${where}): ${reason}`;
  });
}
