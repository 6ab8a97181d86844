// Examines one version: its program, and what probes find for the facts in question.

import { availableParallelism, loadavg } from 'node:os';
import { namedFields } from '../../../src/host/cli/initialize-fields.ts';
import { requirementsFor } from '../../../src/lab/conformance/ledger/plan.ts';
import { runProbes } from '../../../src/lab/conformance/run.ts';
import { realSubject } from '../../../src/lab/conformance/subjects/real.ts';
import { watchedSubject } from '../../../src/lab/conformance/subjects/watched.ts';
import {
  cliRequests,
  hookEvents,
  hostMessages,
  hostRequests,
  messages,
} from '../../../src/wire/protocol/catalog/catalog.ts';
import { readHelp, readProgram, tryFlags } from './program.mjs';
import { triedFlags } from './tried-flags.mjs';
import { keepVersion, readVersion } from './version-store.mjs';

/**
 * Silence is the common case on old versions. With much longer waits, the verdicts were the same; a verdict that
 * is wrong because of a short wait differs from its neighbours' and is probed again.
 */
const PATIENCE = { startMs: 30_000, answerMs: 8_000, turnMs: 25_000, quietMs: 2_000 };
/** The load per core up to which that is enough, and the maximum factor for longer waits. */
const MOST_LOAD = 2;
const MOST_TIMES = 3;

function patience() {
  const times = Math.min(MOST_TIMES, Math.max(1, loadavg()[0] / availableParallelism() / MOST_LOAD));
  return Object.fromEntries(Object.entries(PATIENCE).map(([what, ms]) => [what, Math.round(ms * times)]));
}

const names = [hostRequests, cliRequests, hookEvents, hostMessages, messages].flatMap((entries) =>
  Object.keys(entries).flatMap((name) => name.split('/')),
);

/** Examines a version for some facts, or for all of them; keeps what it finds. */
export async function visit(cache, { version, path, facts }) {
  const before = await readVersion(cache, version);
  const { sha256, named, fields, flags } = await readProgram(path, { names, fields: namedFields });
  const known =
    before?.sha256 === sha256 ? before : { version, sha256, taken: [], refused: [], runs: [], seen: [] };
  const listed = known.listed ?? (await readHelp(path));
  const record = {
    ...known,
    named,
    fields,
    listed,
    ...(await flagsOf(path, { ...known, listed, flags, facts })),
  };
  await keepVersion(cache, record);
  const only = facts === undefined ? undefined : requirementsFor(facts);
  if (only?.size === 0) return record;
  const done = await probed(path, record, only);
  await keepVersion(cache, done);
  return done;
}

/** Tries the flags in question. A flag in the help is accepted, one that the program does not mention is not. */
async function flagsOf(path, { taken, refused, listed, flags, facts }) {
  const open = Object.keys(triedFlags).filter(
    (flag) => ![...taken, ...refused].includes(flag) && (facts?.has(`flag:${flag}`) ?? true),
  );
  const isMentioned = (flag) => flags.has(flag.split('=')[0]);
  const tried = await tryFlags(
    path,
    open.filter((flag) => isMentioned(flag) && !listed.includes(flag)),
  );
  return {
    taken: [...taken, ...tried.taken, ...open.filter((flag) => listed.includes(flag))].sort(),
    refused: [...refused, ...tried.refused, ...open.filter((flag) => !isMentioned(flag))].sort(),
  };
}

async function probed(path, record, only) {
  const seen = new Set(record.seen);
  const started = performance.now();
  const subject = watchedSubject(realSubject(path, patience()), (what) => seen.add(what));
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
