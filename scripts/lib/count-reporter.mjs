// Prints one closing line with the counts and names every skipped test; in CI a skip is a failure.
export default class CountReporter {
  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        if (state in counts) counts[state] += 1;
        if (state === 'skipped') console.log(`SKIPPED ${test.fullName}: ${note ?? 'no reason given'}`);
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    if (counts.skipped > 0 && process.env.CI) {
      console.log('in CI a skipped test is a failure');
      process.exitCode = 1;
    }
  }
}
