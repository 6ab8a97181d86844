// A look at one version: what its program tells, and what probes find for the facts in question.

import { requirementsFor } from '../../../dist/lab/conformance/ledger/plan.js';
import { runProbes } from '../../../dist/lab/conformance/run.js';
import { realSubject } from '../../../dist/lab/conformance/subjects/real.js';
import { watchedSubject } from '../../../dist/lab/conformance/subjects/watched.js';
import {
  cliRequests,
  hookEvents,
  hostMessages,
  hostRequests,
  messages,
} from '../../../dist/wire/protocol/catalog/catalog.js';
import { readHelp, readProgram, tryFlags } from './program.mjs';
import { keepVersion, readVersion } from './version-store.mjs';

/**
 * Silence is the common case on old versions. Where it was waited for much longer, the verdicts were the same; one that
 * was wrong for want of patience differs from those of its neighbours and is probed again.
 */
const PATIENCE = { startMs: 25_000, answerMs: 8_000, turnMs: 20_000, quietMs: 2_000 };

const names = [hostRequests, cliRequests, hookEvents, hostMessages, messages].flatMap((entries) =>
  Object.keys(entries).flatMap((name) => name.split('/')),
);

/** Looks at a version for some facts, or for all of them; keeps what it finds. */
export async function visit(cache, { version, path, facts }) {
  const before = await readVersion(cache, version);
  const { sha256, named } = await readProgram(path, names);
  const known =
    before?.sha256 === sha256 ? before : { version, sha256, taken: [], refused: [], runs: [], seen: [] };
  const record = {
    ...known,
    named,
    listed: known.listed ?? (await readHelp(path)),
    ...(await flagsOf(path, known, facts)),
  };
  await keepVersion(cache, record);
  const only = facts === undefined ? undefined : requirementsFor(facts);
  if (only?.size === 0) return record;
  const done = await probed(path, record, only);
  await keepVersion(cache, done);
  return done;
}

async function flagsOf(path, { taken, refused }, facts) {
  const asked =
    facts && [...facts].filter((id) => id.startsWith('flag:')).map((id) => id.slice('flag:'.length));
  const known = new Set([...taken, ...refused]);
  const found = await tryFlags(
    path,
    asked?.filter((flag) => !known.has(flag)),
  );
  return {
    taken: [...new Set([...taken, ...found.taken])].sort(),
    refused: [...new Set([...refused, ...found.refused])].sort(),
  };
}

async function probed(path, record, only) {
  const seen = new Set(record.seen);
  const started = performance.now();
  const subject = watchedSubject(realSubject(path, PATIENCE), (what) => seen.add(what));
  const { verdicts, shapes } = await runProbes(subject, { only });
  const run = {
    full: only === undefined,
    seconds: Math.round((performance.now() - started) / 1_000),
    verdicts: Object.fromEntries(verdicts.map(({ id, verdict }) => [id, verdict])),
    details: Object.fromEntries(
      verdicts.flatMap(({ id, detail }) => (detail === undefined ? [] : [[id, detail]])),
    ),
  };
  return { ...record, ...(run.full ? { shapes } : {}), runs: [...record.runs, run], seen: [...seen].sort() };
}
