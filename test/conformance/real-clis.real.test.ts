import { expect, vi } from 'vitest';
import { compareWithRecord } from '../../src/lab/conformance/compare.js';
import { runProbes } from '../../src/lab/conformance/run.js';
import { realSubject } from '../../src/lab/conformance/subjects/real.js';
import { probedVersions } from '../../src/wire/protocol/catalog/entries.js';
import { eachRealCli } from '../real/support/each-real-cli.js';
import { readRecord } from './support.js';

// A run takes one to two minutes on two free cores, and longer on busy ones.
vi.setConfig({ testTimeout: 600_000 });

eachRealCli(
  'the probes find what was recorded',
  async ({ path, version }) => {
    const probed = probedVersions.find((each) => each === version);
    if (probed === undefined) throw new Error(`${version} has no record`);
    const report = await runProbes(realSubject(path));
    expect(report.version).toBe(version);
    expect(compareWithRecord(report, readRecord(probed))).toEqual([]);
  },
  probedVersions,
);
