// Finds out where the patches fit, and whether they work there: `npm run patches -- [--run] [versions]`.
// Downloads, patches and deletes each JavaScript CLI, and with `--run` also starts it. Default: all versions.
// Several may run side by side, on different versions.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyCopy } from '../src/command/patch/verify.ts';
import { preparePatchedCli } from '../src/host/patches/prepare.ts';
import { compareVersions } from '../src/wire/util/versions.ts';
import { FIRST_NATIVE, installCli, publishedVersions } from './lib/ledger/cli-cache.mjs';
import { decisionsText } from './lib/ledger/decisions.mjs';
import { patchSources, writePatchRow } from './lib/patch-record.mjs';

const LEDGER = 'src/host/cli/ledger/ledger.json';
const DECISIONS = 'src/host/cli/ledger/decisions.ts';
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const runs = process.argv.includes('--run');
// The patches are loaded now: what changes while they run is not what runs.
const sources = patchSources();

const published = named.length > 0 ? named : await publishedVersions();
for (const version of published.filter((each) => compareVersions(each, FIRST_NATIVE) < 0)) {
  const cells = await look(version);
  writePatchRow(version, { sources, cells });
  console.log(version, JSON.stringify(cells));
}
writeFileSync(DECISIONS, decisionsText(JSON.parse(readFileSync(LEDGER, 'utf8'))));

/** The result of each patch: `works`, `applied` if the copy was not run, or what is missing. */
async function look(version) {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-patches-'));
  try {
    const plan = await preparePatchedCli(await installCli(folder, version), {
      cacheFolder: join(folder, 'copies'),
    });
    const verdicts = runs && plan.reports.some(({ success }) => success) ? await verifyCopy(plan) : [];
    const cell = ({ id, success, details }) => {
      if (!success) return details.join('; ');
      const verdict = verdicts.find(({ patch }) => patch === id);
      const part = details.some((each) => each.startsWith('only ')) ? ` in part: ${details.join('; ')}` : '';
      if (verdict === undefined) return `applied${part}`;
      return verdict.ok ? `works${part}` : `fails: ${verdict.seen}`;
    };
    return Object.fromEntries(plan.reports.map((report) => [report.id, cell(report)]));
  } catch (error) {
    return { error: String(error.message) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
