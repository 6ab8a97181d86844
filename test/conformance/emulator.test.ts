import { expect, test } from 'vitest';
import { acceptedOn } from '../../src/lab/conformance/accepted-differences.js';
import { compareWithRecord } from '../../src/lab/conformance/compare.js';
import { runProbes } from '../../src/lab/conformance/run.js';
import { emulatedSubject } from '../../src/lab/conformance/subjects/emulated.js';
import { probedVersions } from '../../src/wire/protocol/catalog/entries.js';
import { readRecord } from './support.js';

test.concurrent.each(probedVersions)(
  'the emulator of %s gets the verdicts and shapes of the real CLI, apart from accepted differences',
  async (version) => {
    const report = await runProbes(emulatedSubject(version));
    const differences = compareWithRecord(report, readRecord(version));
    const accepted = acceptedOn(version);
    expect(differences.filter(({ what }) => !accepted.has(what))).toEqual([]);
    const found = new Set(differences.map(({ what }) => what));
    expect([...accepted].filter((what) => !found.has(what))).toEqual([]);
  },
  120_000,
);
