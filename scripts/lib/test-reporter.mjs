// The reporter of every test run: prints the closing lines as the very last ones, or leaves them to `scripts/test.mjs`,
// which adds up several runs.
import { appendFileSync, writeSync } from 'node:fs';
import { closingOf, reportOf } from './test-report.mjs';

export default class TestReporter {
  #isFiltered = false;
  #report;

  onInit(vitest) {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
    // Coverage is printed after the run has ended, so this runs at exit.
    process.once('exit', () => this.#close());
  }

  onTestRunEnd(modules, unhandledErrors) {
    const report = reportOf(modules, unhandledErrors);
    // A filter by name skips all other tests.
    this.#report = this.#isFiltered ? { ...report, skipped: [] } : report;
  }

  #close() {
    if (this.#report === undefined) return;
    const collected = process.env.COXSWAIN_TEST_REPORT;
    if (collected !== undefined) return appendFileSync(collected, `${JSON.stringify(this.#report)}\n`);
    const { lines, refused } = closingOf(this.#report);
    writeSync(1, `\n${lines.join('\n')}\n`);
    if (refused) process.exitCode ||= 1;
  }
}
