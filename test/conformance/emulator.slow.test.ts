import { expect, test } from 'vitest';
import { compareWithRecord } from '../../src/lab/conformance/compare.js';
import { recordedVersions } from '../../src/lab/conformance/recorded-versions.js';
import { runProbes } from '../../src/lab/conformance/run.js';
import { emulatedSubject } from '../../src/lab/conformance/subjects/emulated.js';
import { readRecord } from './support.js';

test.concurrent.each(recordedVersions)(
  'the emulator of %s gets the verdicts and shapes of the real CLI',
  async (version) => {
    const report = await runProbes(emulatedSubject(version));
    expect(compareWithRecord(report, readRecord(version))).toEqual([]);
  },
  120_000,
);
