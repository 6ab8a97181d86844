// What a test run says at its end: skipped tests by reason, the slowest files, the time of each project, the counts.

/** The optional programs that a machine may declare missing, and the files whose skips that excuses. */
const EXCUSES = {
  chromium: (file) => file.endsWith('.browser.test.ts'),
  firefox: (file) => file.endsWith('-firefox.browser.test.ts'),
  shells: (file) => /-shells(\.\w+)?\.test\.ts$/.test(file),
  sandboxes: (file) => /(?:spawners|bubblewrap)\.\w+\.test\.ts$/.test(file),
  nats: (file) => file.endsWith('.fleet.test.ts'),
};

const SLOWEST = 10;

/** Reads a run from vitest's modules into plain data. */
export function reportOf(modules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  const skipped = [];
  const files = [];
  for (const module of modules) {
    const tests = [...module.children.allTests()];
    const file = module.relativeModuleId;
    for (const test of tests) counts[test.result().state] += 1;
    for (const test of tests.filter((each) => each.result().state === 'skipped'))
      skipped.push({ file, reason: test.result().note ?? 'no reason given' });
    // A file that could not be loaded, or a failed beforeAll, has no failed test to count.
    counts.failed += [module, ...module.children.allSuites()].filter(
      (part) => part.errors().length > 0,
    ).length;
    const { duration, collectDuration } = module.diagnostic();
    files.push({ project: module.project.name, file, ms: duration + collectDuration, tests: tests.length });
  }
  return { counts, skipped, files };
}

/** Adds up the reports of several runs. */
export function joined(reports) {
  const sum = (name) => reports.reduce((total, { counts }) => total + counts[name], 0);
  return {
    counts: { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
    skipped: reports.flatMap(({ skipped }) => skipped),
    files: reports.flatMap(({ files }) => files),
  };
}

/**
 * The closing lines, and whether a skip makes the run a failure: only if `COXSWAIN_SKIPS` is `fail`, and not for the
 * programs and side packages that `COXSWAIN_MISSING` names.
 */
export function closingOf({ counts, skipped, files }, env = process.env) {
  const missing = (env.COXSWAIN_MISSING ?? '').split(/[\s,]+/).filter(Boolean);
  const isExcused = ({ file, reason }) =>
    // The other names are folders with packages: a skip that needs one names it.
    missing.some((name) => (name in EXCUSES ? EXCUSES[name](file) : reason.includes(name)));
  const refused = env.COXSWAIN_SKIPS === 'fail' && !skipped.every(isExcused);
  return {
    lines: [
      ...timeLines(files),
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
