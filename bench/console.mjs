// Measures a console server: many sessions on emulated CLIs, many viewers, all in two processes on this machine.
//   node bench/console.mjs [--sessions 100] [--viewers 200] [--turns 3] [--json]
// The server runs in a separate process, so that its figures are its own. Prints what was delivered, how late, and what
// it cost; exits with 1 if a viewer missed an event or saw one twice.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100' },
    viewers: { type: 'string', default: '200' },
    turns: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    serve: { type: 'string' },
  },
});

if (values.serve !== undefined) await serve(values.serve);
else process.exitCode = await measure(Number(values.sessions), Number(values.viewers), Number(values.turns));

/** The server's process: reports its address, and on each message how much it has used. */
async function serve(folder) {
  const { startConsole } = await import('../dist/console.js');
  const { emulateCli, onUser, say } = await import('../dist/testing.js');
  const words = 'word '.repeat(200);
  const scenario = () => [onUser(undefined, [say(words, { chunk: 5, delayMs: 0 })], { times: 'any' })];
  const server = await startConsole({
    roots: [folder],
    stateFolder: join(folder, 'state'),
    limits: { sessions: 1_000, clients: 2_000 },
    session: () => ({ transport: () => emulateCli(scenario(), { partialMessages: true }).transport }),
  });
  process.on('message', async (what) => {
    if (what === 'usage') process.send({ memory: process.memoryUsage(), cpu: process.cpuUsage() });
    if (what === 'close') {
      await server.close();
      process.disconnect();
    }
  });
  process.send({ url: server.url });
}

async function measure(sessionCount, viewerCount, turns) {
  const { ConsoleClient } = await import('../dist/remote.js');
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-bench-'));
  const server = fork(fileURLToPath(import.meta.url), ['--serve', folder]);
  const ask = (what) => {
    const answer = new Promise((resolve) => server.once('message', resolve));
    if (what !== undefined) server.send(what);
    return answer;
  };
  const { url } = await ask();
  const driver = new ConsoleClient({ url });
  await driver.ready;
  const openedAt = performance.now();
  const opened = await Promise.all(
    Array.from({ length: sessionCount }, () => driver.command('open', { cwd: folder })),
  );
  const openMs = performance.now() - openedAt;
  const sessions = opened.map(({ session }) => session);
  const viewers = await Promise.all(
    Array.from({ length: viewerCount }, (_, index) =>
      view(ConsoleClient, url, sessions[index % sessionCount]),
    ),
  );
  const before = await ask('usage');
  const startedAt = performance.now();
  for (let turn = 0; turn < turns; turn += 1) {
    const heard = Promise.all(viewers.map((viewer) => viewer.results(turn + 1)));
    for (const session of sessions) void driver.command('send', { content: `turn ${turn}` }, { session });
    await heard;
  }
  const ms = performance.now() - startedAt;
  const after = await ask('usage');
  const faults = viewers.filter((viewer) => !viewer.isGapless()).length;
  const late = viewers.flatMap((viewer) => viewer.late).sort((a, b) => a - b);
  const events = viewers.reduce((sum, viewer) => sum + viewer.count, 0);
  await Promise.all(viewers.map((viewer) => viewer.client.close()));
  await driver.close();
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.send('close');
  await gone;
  await rm(folder, { recursive: true, force: true });
  print({
    machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    sessions: sessionCount,
    viewers: viewerCount,
    turns,
    'sessions opened per second': sessionCount / (openMs / 1_000),
    'events delivered': events,
    'events delivered per second': events / (ms / 1_000),
    'lateness in ms, middle': at(late, 0.5),
    'lateness in ms, 99 of 100': at(late, 0.99),
    'server CPU seconds': (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6,
    'server memory in MB': after.memory.rss / 2 ** 20,
    'viewers with a gap or an event twice': faults,
  });
  return faults === 0 ? 0 : 1;
}

/** A viewer of one session: records every number, and how late each event arrived. */
async function view(ConsoleClient, url, session) {
  const client = new ConsoleClient({ url });
  const viewer = {
    client,
    count: 0,
    late: [],
    gaps: 0,
    seen: 0,
    waiting: [],
    isGapless: () => viewer.gaps === 0,
    results: (wanted) =>
      new Promise((done) => {
        viewer.waiting.push({ wanted, done });
        viewer.wake();
      }),
    wake: () => {
      for (const { wanted, done } of viewer.waiting) if (viewer.seen >= wanted) done();
    },
  };
  let last = 0;
  await client.ready;
  client.attach(session, 0, {
    onEvent: ({ n, at: when, line }) => {
      if (n !== last + 1) viewer.gaps += 1;
      last = n;
      viewer.count += 1;
      if (viewer.count % 10 === 0) viewer.late.push(Date.now() - when);
      if (line?.text.includes('"type":"result"')) {
        viewer.seen += 1;
        viewer.wake();
      }
    },
  });
  return viewer;
}

function at(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function print(figures) {
  if (values.json) {
    console.log(JSON.stringify({ schema: 1, ...figures }));
    return;
  }
  for (const [name, value] of Object.entries(figures)) {
    const text = typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 1 }) : value;
    console.log(`${name.padEnd(40)}${text}`);
  }
}
