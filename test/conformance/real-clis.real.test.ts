import { expect, vi } from 'vitest';
import { compareWithRecord } from '../../src/lab/conformance/compare.js';
import { recordedVersions } from '../../src/lab/conformance/recorded-versions.js';
import { requirementIds } from '../../src/lab/conformance/requirements/requirements.js';
import { type ProbeReport, runProbes } from '../../src/lab/conformance/run.js';
import { mergedShape } from '../../src/lab/conformance/shape.js';
import { realSubject } from '../../src/lab/conformance/subjects/real.js';
import { eachRealCli } from '../real/support/each-real-cli.js';
import { readRecord } from './support.js';

// A run takes one to two minutes on two free cores, and longer on busy ones.
vi.setConfig({ testTimeout: 600_000 });

const PATIENTLY = { startMs: 60_000, answerMs: 40_000, turnMs: 80_000, quietMs: 10_000 };

eachRealCli(
  'the probes match the records',
  async ({ path, version }) => {
    const probed = recordedVersions.find((each) => each === version);
    if (probed === undefined) throw new Error(`${version} has no record`);
    const record = readRecord(probed);
    const report = await runProbes(realSubject(path));
    expect(report.version).toBe(version);
    const different = new Set<string>(compareWithRecord(report, record).map(({ what }) => what));
    const only = new Set(requirementIds.filter((id) => different.has(id)));
    // A few verdicts of old CLIs are races in the CLI itself (2.0.73 fills a message while it is being sent), and on a busy
    // machine an answer may come after a probe has given up: as in the ledger, an unexpected verdict counts when it occurs twice.
    const again = only.size === 0 ? undefined : await runProbes(realSubject(path, PATIENTLY), { only });
    expect(compareWithRecord(again === undefined ? report : corrected(report, again), record)).toEqual([]);
  },
  recordedVersions,
);

/** A report with the verdicts of a second run, and with what that run saw too: a probe that gave up has missed some shapes. */
function corrected(report: ProbeReport, again: ProbeReport): ProbeReport {
  const verdicts = report.verdicts.map((one) => again.verdicts.find(({ id }) => id === one.id) ?? one);
  const seen = Object.entries(again.shapes).map(([name, shape]) => {
    const before = report.shapes[name];
    return [name, before === undefined ? shape : mergedShape(before, shape)];
  });
  return { ...report, verdicts, shapes: { ...report.shapes, ...Object.fromEntries(seen) } };
}
