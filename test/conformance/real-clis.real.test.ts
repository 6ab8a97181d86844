import { expect, vi } from 'vitest';
import { compareWithRecord } from '../../src/lab/conformance/compare.js';
import { type RequirementId, requirementIds } from '../../src/lab/conformance/requirements/requirements.js';
import { runProbes } from '../../src/lab/conformance/run.js';
import { realSubject } from '../../src/lab/conformance/subjects/real.js';
import { probedVersions } from '../../src/wire/protocol/catalog/entries.js';
import { eachRealCli } from '../real/support/each-real-cli.js';
import { readRecord } from './support.js';

// A run takes one to two minutes on two free cores, and longer on busy ones.
vi.setConfig({ testTimeout: 600_000 });

eachRealCli(
  'the probes match the records',
  async ({ path, version }) => {
    const probed = probedVersions.find((each) => each === version);
    if (probed === undefined) throw new Error(`${version} has no record`);
    const report = await runProbes(realSubject(path));
    expect(report.version).toBe(version);
    const different = compareWithRecord(report, readRecord(probed)).map(({ what }) => what);
    const judged = new Set(requirementIds.filter((id) => different.includes(id)));
    expect(different.filter((what) => !judged.has(what as RequirementId))).toEqual([]);
    if (judged.size === 0) return;
    // A few verdicts of old CLIs are races in the CLI itself (2.0.73 fills a message while it is being sent): as in the
    // ledger, an unexpected one counts when it occurs twice.
    const again = await runProbes(realSubject(path), { only: judged });
    const { verdicts } = readRecord(probed);
    expect(again.verdicts.filter(({ id, verdict }) => verdicts[id] !== verdict)).toEqual([]);
  },
  probedVersions,
);
