// Measures a fleet with emulated CLIs: one nats-server, workers and a gateway as processes, and clients that watch.
//   node bench/fleet.mjs [--conversations 1000] [--workers 4] [--viewed 1000] [--slow 10] [--turns 8] [--sync always,default] [--json]
//   node bench/fleet.mjs --lost 10,50,100,300     only how soon so many conversations of one worker go on at another
// How long a command takes through the engine, how many events a second arrive, what viewers cost that read nothing,
// how soon others go on when a worker is killed, and the memory of each part.
import { mkdtempSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCode } from '../scripts/lib/build-code.mjs';
import { FleetClient } from './lib/fleet-client.mjs';
import { FleetParts } from './lib/fleet-parts.mjs';

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '4' },
    viewed: { type: 'string', default: '1000' },
    slow: { type: 'string', default: '10' },
    turns: { type: 'string', default: '8' },
    sync: { type: 'string', default: 'always,default' },
    lost: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.conversations);
const VIEWED = Math.min(COUNT, Number(values.viewed));
/** A socket may view 256 at once. */
const VIEWED_BY_ONE = 200;
const LEASE_S = 5;
const COMMANDS = 500;
const TURN = 'count 20 every 0';
/** Turns of all while some viewers read nothing. */
const SLOW_TURNS = Number(values.turns);

await buildCode();
let parts;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    parts?.end();
    process.exit(1);
  });
const measured = [];
for (const sync of values.sync.split(',')) {
  parts = await FleetParts.prepare();
  try {
    measured.push(await figuresFor(sync));
  } finally {
    parts.end();
  }
}
if (values.json) console.log(JSON.stringify(measured, null, 1));
process.exit(0);

/** Each figure is printed as soon as it is known. */
async function figuresFor(sync) {
  const all = { 'sync_interval of nats-server': sync };
  if (!values.json) print(all);
  for await (const figures of measure(sync)) {
    Object.assign(all, figures);
    if (!values.json) print(figures);
  }
  return all;
}

async function* measure(sync) {
  if (values.lost !== undefined) {
    for (const count of values.lost.split(',').map(Number)) yield await takeOver(sync, count);
    return;
  }
  const { nats, workers, gateway } = await startFleet(sync);
  const clients = [];
  for (let each = 0; each < Math.ceil(VIEWED / VIEWED_BY_ONE); each += 1)
    clients.push(await FleetClient.connect(gateway.said));
  const clientOf = (index) => clients[Math.floor(index / VIEWED_BY_ONE) % clients.length];
  const opening = performance.now();
  const sessions = await inParts(COUNT, 50, async (index) => {
    const { session } = await clientOf(index).ask('open', { cwd: parts.folder });
    return session;
  });
  const opened = performance.now() - opening;
  for (const [index, session] of sessions.slice(0, VIEWED).entries()) clientOf(index).attach(session);
  const memory = (name) => ({
    [`memory of the gateway ${name}, MB`]: parts.megabytes(gateway.pid),
    [`memory of a worker ${name}, MB`]: parts.megabytes(workers[0].pid),
    [`memory of nats-server ${name}, MB`]: parts.megabytes(nats.pid),
  });
  yield {
    machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    conversations: COUNT,
    'of them viewed': VIEWED,
    workers: workers.length,
    'opened a second': Math.round((COUNT / opened) * 1_000),
    ...memory('when all are open'),
  };
  yield await roundTrips(clientOf, sessions);
  const viewed = sessions.slice(0, VIEWED);
  yield await turnsOfAll(clients, clientOf, viewed);
  yield memory('after a turn of each');
  yield await slowViewers({ gateway, clients, clientOf, viewed });
  yield await killOne({ nats, clientOf, sessions, worker: workers[0] });
}

async function startFleet(sync, count = Number(values.workers)) {
  const nats = await parts.startNats(sync);
  const workers = [];
  for (let each = 0; each < count; each += 1) workers.push(await startWorker(nats));
  const stateFolder = mkdtempSync(join(parts.folder, 'gateway-'));
  const gateway = await parts.start('gateway', { fleet: { nats: nats.url }, stateFolder });
  return { nats, workers, gateway };
}

function startWorker({ url: nats }) {
  return parts.start('worker', {
    nats,
    slots: COUNT,
    leaseSeconds: LEASE_S,
    roots: [parts.folder],
    configDir: parts.folder,
    stateFolder: mkdtempSync(join(parts.folder, 'state-')),
  });
}

/** How soon the conversations of a killed worker answer, if another worker takes all of them. */
async function takeOver(sync, count) {
  const { nats, workers, gateway } = await startFleet(sync, 1);
  const client = await FleetClient.connect(gateway.said);
  const sessions = await inParts(count, 50, async () => {
    const { session } = await client.ask('open', { cwd: parts.folder });
    await client.ask('send', { content: TURN }, session);
    return session;
  });
  const taking = await startWorker(nats);
  const before = parts.cpuSeconds(taking.pid);
  const { 'last after, s': last, 'half of them after, s': half } = await killOne({
    nats,
    clientOf: () => client,
    sessions,
    worker: workers[0],
  });
  const cpu = round(parts.cpuSeconds(taking.pid) - before);
  client.close();
  await parts.endAll();
  return {
    [`${count} conversations, half and all after, s (lease ${LEASE_S} s)`]: `${half}, ${last}; CPU of their next worker ${cpu}`,
  };
}

/** Commands that change a title, one at a time: each is recorded by its owner, done and answered. */
async function roundTrips(clientOf, sessions) {
  const times = [];
  for (let each = 0; each < COMMANDS; each += 1) {
    const index = (each * 7) % sessions.length;
    const began = performance.now();
    await clientOf(index).ask('rename', { title: `title ${each}` }, sessions[index]);
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  return {
    'a command, p50 ms': round(times[Math.floor(times.length / 2)]),
    'a command, p99 ms': round(times[Math.floor(times.length * 0.99)]),
  };
}

/** A turn in every viewed conversation at once; all events arrive at the clients. */
async function turnsOfAll(clients, clientOf, sessions) {
  const before = sum(clients, 'events');
  const ended = Promise.all(clients.map((client) => client.results()));
  const began = performance.now();
  await inParts(sessions.length, 100, (index) =>
    clientOf(index).ask('send', { content: TURN }, sessions[index]),
  );
  await ended;
  const ms = performance.now() - began;
  return {
    'events a second': Math.round(((sum(clients, 'events') - before) / ms) * 1_000),
    'turns of all, s': round(ms / 1_000),
  };
}

/** The gateway's memory while some viewers read nothing of what they are attached to. */
async function slowViewers({ gateway, clients, clientOf, viewed }) {
  const slow = [];
  for (let each = 0; each < Number(values.slow); each += 1) {
    const client = await FleetClient.connect(gateway.said);
    for (const session of viewed.slice(0, VIEWED_BY_ONE)) client.attach(session, -1);
    slow.push(client);
  }
  // They are attached when they are told so; then they read no more.
  await Promise.all(slow.map((client) => client.attachedTo(Math.min(viewed.length, VIEWED_BY_ONE))));
  for (const client of slow) client.pause();
  const figures = [parts.megabytes(gateway.pid)];
  const held = [await gateway.heap()];
  for (let each = 0; each < SLOW_TURNS; each += 1) {
    await turnsOfAll(clients, clientOf, viewed);
    figures.push(parts.megabytes(gateway.pid));
    held.push(await gateway.heap());
  }
  for (const client of slow) client.close();
  return {
    [`memory of the gateway before and after each of ${SLOW_TURNS} turns, ${slow.length} viewers read nothing, MB`]:
      figures.join(', '),
    'of that, held after a garbage collection, MB': held.join(', '),
  };
}

/** How long the conversations of a killed worker take until they answer again. */
async function killOne({ nats, clientOf, sessions, worker }) {
  const owners = await parts.owners(nats.url);
  const lost = sessions.flatMap((session, index) =>
    owners.get(session) === worker.said.worker ? [index] : [],
  );
  const began = performance.now();
  // What it had begun would be answered with an error.
  await parts.kill(worker.pid);
  const times = await inParts(lost.length, 100, async (each) => {
    await clientOf(lost[each]).ask('rename', { title: 'after' }, sessions[lost[each]]);
    return performance.now() - began;
  });
  times.sort((one, other) => one - other);
  return {
    'lease, s': LEASE_S,
    'conversations of the killed worker': lost.length,
    'first taken over after, s': round((times[0] ?? 0) / 1_000),
    'half of them after, s': round((times[Math.floor(times.length / 2)] ?? 0) / 1_000),
    'last after, s': round((times.at(-1) ?? 0) / 1_000),
  };
}

/** Runs so many jobs, at most some at once. */
async function inParts(count, atOnce, job) {
  const results = new Array(count);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await job(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return results;
}

function sum(list, key) {
  return list.reduce((all, each) => all + each[key], 0);
}

function round(number) {
  return Math.round(number * 100) / 100;
}

function print(figures) {
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(60)} ${value}`);
}
