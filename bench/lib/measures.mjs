// What is measured, the same for every implementation.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';

const MB = 1024 * 1024;
const tool = ({ text }) => ({ content: [{ type: 'text', text }] });

/** Messages read as fast as they come, or as calls of the CLI allow: one turn, from the prompt to its result. */
export async function turn({ open, cli, cwd, readMs = 0, withTool = false, options: given }) {
  const told = [];
  const options = given && { ...given, onDiagnostic: ({ code }) => told.push(code) };
  const session = await open({ cli, cwd, tool: withTool ? tool : undefined, options });
  await wake();
  const before = process.memoryUsage.rss();
  const watch = stopwatch();
  let count = 0;
  for await (const message of session.start('go')) {
    count += 1;
    if (readMs > 0) await delay(readMs);
    if (message.type === 'result') break;
  }
  const took = watch();
  // A recording with a gap would be no measurement.
  if (told.length > 0) throw new Error(`the session told of ${told.join(', ')}`);
  return { ...took, count, ...peak(before) };
}

/** Control calls of the host, many at once. */
export async function control({ open, cli, cwd, rounds = 40, width = 1000 }) {
  const session = await open({ cli, cwd });
  const round = () => Promise.all(Array.from({ length: width }, () => session.control()));
  await round();
  const watch = stopwatch();
  for (let i = 0; i < rounds; i += 1) await round();
  return { ...watch(), count: rounds * width };
}

/** A turn that nobody reads, until memory has stopped growing. */
export async function unread({ open, cli, cwd }) {
  const session = await open({ cli, cwd });
  await wake();
  const before = process.memoryUsage.rss();
  session.start('go');
  for (let last = 0, same = 0; same < 10; ) {
    await delay(100);
    const now = process.resourceUsage().maxRSS;
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return peak(before);
}

/** Sessions that live side by side: memory of each, time to open each. */
export async function live({ open, cli, cwd, sessions }) {
  const first = await open({ cli, cwd });
  const before = await settledMemory();
  const watch = stopwatch();
  const all = [];
  for (let i = 0; i < sessions; i += 25) {
    const batch = Array.from({ length: Math.min(25, sessions - i) }, () => open({ cli, cwd }));
    all.push(...(await Promise.all(batch)));
  }
  const { ms, cpuMs } = watch();
  const each = ((await settledMemory()) - before) / sessions / 1024;
  for (const session of [first, ...all]) void session.close();
  return { ms, cpuMs, count: sessions, kilobytesEach: each };
}

/** Leaves a session that floods; how long until the caller has control again. */
export async function leave({ open, cli, cwd, by }) {
  const abort = new AbortController();
  const session = await open({ cli, cwd, signal: abort.signal });
  let left = 0;
  let count = 0;
  try {
    for await (const _ of session.start('go')) {
      count += 1;
      if (count < 1000) continue;
      left ||= performance.now();
      if (by === 'break') break;
      if (by === 'throw') throw new Error('leave');
      abort.abort();
    }
  } catch {
    // Whatever ends the loop is fine: what counts is when.
  }
  return { ms: performance.now() - left };
}

/** Sessions opened and closed one after the other; what is left of them. */
export async function churn({ open, cli, cwd, sessions }) {
  const one = () => churnOnce(open, { cli, cwd });
  for (let i = 0; i < 20; i += 1) await one();
  const before = await settledMemory();
  const compiled = compiledCode();
  const handles = process.getActiveResourcesInfo().length;
  const children = childProcesses();
  const watch = stopwatch();
  for (let i = 0; i < sessions; i += 1) await one();
  const { ms, cpuMs } = watch();
  await delay(200);
  const grown = (await settledMemory()) - before;
  const each = (bytes) => bytes / 1024 / sessions;
  return {
    ms,
    cpuMs,
    count: sessions,
    kilobytesLeftEach: each(grown),
    dataLeftEach: each(grown - (compiledCode() - compiled)),
    handlesLeft: Math.max(0, process.getActiveResourcesInfo().length - handles),
    processesLeft: childProcesses() - children,
  };
}

async function churnOnce(open, { cli, cwd }) {
  const session = await open({ cli, cwd });
  for await (const message of session.start('go')) if (message.type === 'result') break;
  await session.close();
}

/** What loading a module costs. */
export async function load({ modules, host }) {
  const before = await settledMemory();
  const rss = process.memoryUsage.rss();
  const start = performance.now();
  await import(modules[host]);
  const ms = performance.now() - start;
  return {
    ms,
    loadedMb: (process.memoryUsage.rss() - rss) / MB,
    heapMb: ((await settledMemory()) - before) / MB,
  };
}

/** From nothing to an open session: what a program that does only this waits for. */
export async function first({ load, cli, cwd }) {
  const watch = stopwatch();
  const open = await load();
  await open({ cli, cwd });
  return watch();
}

/** The first answer of a CLI that is started for it. */
export async function cold({ open, cli, cwd, warmUpCli }) {
  // A program that has had a session before, such as a server or an editor, has its own code loaded and compiled.
  if (warmUpCli !== undefined) await churnOnce(open, { cli: warmUpCli, cwd });
  const start = performance.now();
  const session = await open({ cli, cwd });
  for await (const message of session.start('hello')) if (message.type === 'assistant') break;
  const ms = performance.now() - start;
  await Promise.race([session.close(), delay(3000)]);
  return { ms };
}

/** How many processes this one has started that still run; only Linux tells. */
function childProcesses() {
  const path = `/proc/self/task/${process.pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).length : 0;
}

function stopwatch() {
  const start = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
  };
}

const peak = (before) => ({
  peakMb: process.resourceUsage().maxRSS / 1024,
  addedMb: process.resourceUsage().maxRSS / 1024 - before / MB,
});

/** Lets what the opening left behind finish, so that it is not measured. */
const wake = () => delay(300);

/** What the engine has compiled: it grows with what runs often, up to a point, and belongs to no session. */
function compiledCode() {
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return code + bytecode;
}

async function settledMemory() {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc();
    await delay(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
