// Measures the manager of many conversations on the native CLI of the benchmarks.
//   node bench/manager.mjs [--json]
// What a parked conversation costs, how long 10,000 of them take to list and to load, how soon a CLI started in advance
// answers compared with the official SDK's `startup()`, and what 1,000 sends cost compared with plain sessions.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openSession } from 'coxswain';
import { openManager } from 'coxswain/manager';
import { officialModule } from './hosts/query.mjs';
import { fastCli } from './lib/fast-cli.mjs';
import { median } from './lib/stats.mjs';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const KEPT = 10_000;
const SENDS = 1_000;
const ROUNDS = 5;
const SHORT_TURN = 'plan: flood 100 300';
/** A turn of a thousand pieces of text, as an answer of a page or two has. */
const LONG_TURN = 'plan: flood 1000 300';

const cli = resolve(await fastCli());
const folder = mkdtempSync(join(tmpdir(), 'coxswain-bench-'));
const defaults = { cli, cwd: folder };
const store = () => mkdtempSync(join(folder, 'store-'));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const figures = {
  machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
  'a parked conversation that had a CLI, KB': await parkedKilobytes(300),
  'bytes written for a short turn': await bytesOfTurn(100),
  ...(await manyKept()),
  ...(await claims(20)),
  ...(await sends('short turns (100 pieces)', SHORT_TURN)),
  ...(await sends('long turns (1,000 pieces)', LONG_TURN)),
};
rmSync(folder, { recursive: true, force: true });
print(figures);
process.exit(0);

async function parkedKilobytes(count) {
  const manager = await openManager({ store: store(), maxRunning: 4, idleMs: 0, defaults });
  const turns = (from, to) =>
    Promise.all(
      Array.from(
        { length: to - from },
        (_, n) => manager.conversation(`c${from + n}`).send(SHORT_TURN).outcome,
      ),
    );
  const quiet = async () => {
    while (manager.counters.running > 0) await pause(20);
    await pause(200);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  // The first ones warm up the code.
  await turns(0, 50);
  const before = await quiet();
  await turns(50, 50 + count);
  const after = await quiet();
  await manager.close();
  return (after - before) / count / 1024;
}

/** What a manager without viewers stores of a turn. */
async function bytesOfTurn(count) {
  const path = store();
  const manager = await openManager({ store: path, defaults });
  const conversation = manager.conversation('one');
  const size = () => statSync(join(path, 'conversations.jsonl')).size;
  await conversation.send(SHORT_TURN).outcome;
  const before = size();
  for (let n = 0; n < count; n += 1) await conversation.send(SHORT_TURN).outcome;
  const bytes = (size() - before) / count;
  await manager.close();
  return bytes;
}

/** A store of an earlier manager, with conversations that have had their turns. */
async function manyKept() {
  const path = store();
  mkdirSync(path, { recursive: true });
  const header = { format: 'coxswain-manager', version: 1 };
  const record = (n) => ({
    key: `conversation/user-${n}`,
    value: {
      name: `user-${n}`,
      owner: `team-${n % 50}`,
      priority: 0,
      createdAt: n,
      usedAt: n,
      sessionId: '00000000-0000-4000-8000-000000000000',
      options: { cwd: '/work/project', model: 'sonnet' },
      crashes: 0,
      costUsd: 0.1,
    },
  });
  const lines = [header, ...Array.from({ length: KEPT }, (_, n) => record(n))];
  writeFileSync(
    join(path, 'conversations.jsonl'),
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
  const startedAt = performance.now();
  const manager = await openManager({ store: path, defaults });
  const startMs = performance.now() - startedAt;
  const lists = Array.from({ length: 9 }, () => {
    const at = performance.now();
    if (manager.list().length !== KEPT) throw new Error('conversations are missing');
    return performance.now() - at;
  });
  await manager.close();
  return { 'start with 10,000 on disk, ms': startMs, 'list of 10,000, ms': median(lists) };
}

/** From the message to the first piece of the answer, with both started in advance and ready. */
async function claims(rounds) {
  const official = await import(officialModule());
  const streaming = { ...defaults, partialMessages: true };
  const manager = await openManager({ store: store(), maxRunning: 4, warm: 2, defaults: streaming });
  const [ours, theirs] = [[], []];
  for (let n = 0; n < rounds; n += 1) {
    await pause(300);
    const at = performance.now();
    const turn = manager.conversation(`new-${n}`).send(SHORT_TURN);
    for await (const message of turn) if (message.type !== 'system') break;
    ours.push(performance.now() - at);
    await turn.outcome;
    void manager.find(`new-${n}`).park();
    theirs.push(await officialClaim(official));
  }
  await manager.close();
  return {
    'claim of a CLI started ahead, ms until the first message': median(ours),
    "official SDK's startup(), ms until the first message": median(theirs),
    'claim, ms more than startup()': median(ours) - median(theirs),
  };
}

async function officialClaim(official) {
  const options = { pathToClaudeCodeExecutable: cli, cwd: folder, includePartialMessages: true };
  const warm = await official.startup({ options });
  await pause(300);
  const at = performance.now();
  const query = warm.query(SHORT_TURN);
  let ms = 0;
  for await (const message of query) {
    if (message.type === 'system') continue;
    ms = performance.now() - at;
    break;
  }
  return ms;
}

/** One turn at a time, alternating between the manager and a plain session. */
async function sends(kind, text) {
  const manager = await openManager({ store: store(), defaults });
  const managed = manager.conversation('one');
  const session = await openSession(defaults);
  const run = async (target) => {
    const [at, used] = [performance.now(), process.cpuUsage()];
    for (let n = 0; n < SENDS; n += 1) await target.send(text).outcome;
    const { user, system } = process.cpuUsage(used);
    return { ms: performance.now() - at, cpu: (user + system) / 1000 };
  };
  await run(session);
  await run(managed);
  const rounds = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push({ plain: await run(session), managed: await run(managed) });
  await session.close();
  await manager.close();
  return {
    [`1,000 sends of ${kind}, time of a plain session`]: median(
      rounds.map(({ managed: m, plain }) => m.ms / plain.ms),
    ),
    [`1,000 sends of ${kind}, CPU time of a plain session`]: median(
      rounds.map(({ managed: m, plain }) => m.cpu / plain.cpu),
    ),
    [`${kind}: added to one send, µs of CPU`]: median(
      rounds.map(({ managed: m, plain }) => ((m.cpu - plain.cpu) * 1000) / SENDS),
    ),
  };
}

function print(all) {
  if (values.json) {
    console.log(JSON.stringify({ schema: 1, ...all }));
    return;
  }
  for (const [name, value] of Object.entries(all)) {
    const text = typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : value;
    console.log(`${name.padEnd(60)}${text}`);
  }
}
