import { expect, test } from 'vitest';
import { readLedger } from '../../src/host/cli/ledger/ledger.js';
import { surprises } from '../../src/lab/conformance/expected.js';
import type { RequirementId } from '../../src/lab/conformance/requirements/requirements.js';
import { runProbes } from '../../src/lab/conformance/run.js';
import { emulatedSubject } from '../../src/lab/conformance/subjects/emulated.js';

/** Versions whose verdicts were known while the emulator was written. */
const LOOKED_AT = ['2.0.0', '2.0.30', '2.0.60', '2.1.40', '2.1.58', '2.1.200'];
/** Versions that were first compared with the finished emulator. */
const NOT_LOOKED_AT = [
  '2.0.12',
  '2.0.58',
  '2.1.76',
  '2.1.86',
  '2.1.112',
  '2.1.139',
  '2.1.140',
  '2.1.206',
  '2.1.226',
  '2.1.260',
  '2.1.310',
];

const ledger = readLedger();

test('the compared versions were probed in full on real CLIs', () => {
  expect([...LOOKED_AT, ...NOT_LOOKED_AT].filter((version) => !ledger.probed.includes(version))).toEqual([]);
});

test.concurrent.each([...LOOKED_AT, ...NOT_LOOKED_AT])(
  'the emulated %s gets every verdict that the ledger has for the real one',
  async (version) => {
    const found = await differences(version);
    // On a busy machine an answer can be late; differences are probed again, alone.
    expect(found.size === 0 ? [] : [...(await differences(version, found))]).toEqual([]);
  },
  120_000,
);

/** The requirements on which the emulator differs. */
async function differences(
  version: string,
  only?: ReadonlySet<RequirementId>,
): Promise<ReadonlySet<RequirementId>> {
  const report = await runProbes(emulatedSubject(version), { only });
  return new Set(surprises(report, ledger).map(({ id }) => id));
}
