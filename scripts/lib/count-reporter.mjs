// Prints the counts as the very last line and names every skipped test; in CI a skip is a failure.
import { writeSync } from 'node:fs';

export default class CountReporter {
  #filtered = false;
  #lines = [];
  #refused = false;

  onInit(vitest) {
    this.#filtered = vitest.config.testNamePattern !== undefined;
    // Coverage is printed after the run has ended, so this runs at exit.
    process.once('exit', () => this.#close());
  }

  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const skipped = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      skipped.push(...tests.filter((test) => test.result().state === 'skipped'));
      // A file that could not be loaded, or a failed beforeAll, has no failed test to count.
      const broken = [module, ...module.children.allSuites()].filter((part) => part.errors().length > 0);
      counts.failed += broken.length;
    }
    if (!this.#filtered) this.#reportSkipped(skipped);
    this.#lines.push(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }

  #reportSkipped(tests) {
    for (const test of tests) {
      const reason = test.result().note ?? 'no reason given';
      this.#lines.push(`SKIPPED ${test.module.relativeModuleId} > ${test.fullName}: ${reason}`);
    }
    this.#refused = Boolean(process.env.CI) && tests.some((test) => !isExcused(test));
    if (this.#refused) this.#lines.push('In CI a skipped test is a failure.');
  }

  #close() {
    if (this.#lines.length > 0) writeSync(1, `\n${this.#lines.join('\n')}\n`);
    if (this.#refused) process.exitCode ||= 1;
  }
}

/** A machine without a browser, shells or a nats-server declares that (`.ci/run` and `test.mjs` do); the tests are still named. */
function isExcused(test) {
  const file = test.module.relativeModuleId;
  return (
    (Boolean(process.env.COXSWAIN_NO_SHELLS) && file.endsWith('-shells.test.ts')) ||
    (Boolean(process.env.COXSWAIN_NO_FIREFOX) && file.endsWith('-firefox.browser.test.ts')) ||
    (Boolean(process.env.COXSWAIN_NO_BROWSER) && file.endsWith('.browser.test.ts')) ||
    (Boolean(process.env.COXSWAIN_NO_NATS) && file.endsWith('.fleet.test.ts'))
  );
}
