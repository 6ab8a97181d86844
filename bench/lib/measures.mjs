// What is measured, the same for every implementation.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { median } from './stats.mjs';

const MB = 1024 * 1024;
const tool = async ({ text }) => ({ content: [{ type: 'text', text }] });

/** Messages read as fast as they arrive: one turn, from the prompt to its result. */
export async function turn({ open, cli, cwd, plan, readMs = 0, options: given }) {
  const told = [];
  const options = given && { ...given, onDiagnostic: ({ code }) => told.push(code) };
  const session = await open({ cli, cwd, options });
  await wake();
  const before = process.memoryUsage.rss();
  const watch = stopwatch();
  let count = 0;
  for await (const message of session.start(`plan: ${plan}`)) {
    count += 1;
    if (readMs > 0) await delay(readMs);
    if (message.type === 'result') break;
  }
  const took = watch();
  // A recording with a gap would not be a valid measurement.
  if (told.length > 0) throw new Error(`the session reported ${told.join(', ')}`);
  return { ...took, count, ...peak(before) };
}

/** Calls of the CLI, one turn at a time: warm-up, a burst, a long run. */
export async function calls({ open, cli, cwd, kind, width, counts }) {
  const session = await open({ cli, cwd, tool: kind === 'tools' ? tool : undefined });
  const some = async (count) => {
    const watch = stopwatch();
    for await (const message of session.more(`plan: ${kind} ${count} ${width}`)) {
      if (message.type === 'result') return { count, ...watch(), ...message.bench_us };
    }
    throw new Error('the session ended too early');
  };
  return burstAndLong(some, counts);
}

/** Control calls of the host, one at a time or many at once. */
export async function control({ open, cli, cwd, width, counts }) {
  const session = await open({ cli, cwd });
  const some = async (count) => {
    const took = new Float64Array(count / width);
    const watch = stopwatch();
    for (let i = 0; i < took.length; i += 1) {
      const start = performance.now();
      await (width === 1 ? session.control() : Promise.all(Array.from({ length: width }, session.control)));
      took[i] = performance.now() - start;
    }
    return { count, ...watch(), p99: 1000 * took.sort()[Math.floor(0.99 * took.length)] };
  };
  return burstAndLong(some, counts);
}

async function burstAndLong(some, { warmUp, burst, long }) {
  await wake();
  await some(warmUp);
  return { burst: await some(burst), long: await some(long) };
}

/** A turn that nobody reads, until memory has stopped growing. */
export async function unread({ open, cli, cwd, plan }) {
  const session = await open({ cli, cwd });
  await wake();
  const before = process.memoryUsage.rss();
  session.start(`plan: ${plan}`);
  for (let last = 0, same = 0; same < 10; ) {
    await delay(100);
    const now = process.resourceUsage().maxRSS;
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return peak(before);
}

/** Concurrent sessions: the memory of each, and how long it takes to open and to close all of them. */
export async function live({ open, cli, cwd, sessions, atOnce = sessions }) {
  await churnOnce(open, { cli, cwd });
  const before = await settledMemory();
  const rss = process.memoryUsage.rss();
  const opening = stopwatch();
  const all = [];
  for (let i = 0; i < sessions; i += atOnce)
    all.push(...(await Promise.all(Array.from({ length: atOnce }, () => open({ cli, cwd })))));
  const { ms: openedMs } = opening();
  const each = ((await settledMemory()) - before) / sessions / 1024;
  const rssEach = (process.memoryUsage.rss() - rss) / sessions / 1024;
  const closing = stopwatch();
  await Promise.all(all.map((session) => session.close()));
  const { ms: closedMs } = closing();
  return { openedMs, closedMs, count: sessions, kilobytesEach: each, rssEach };
}

/** Short sessions, one at a time: the cost of each, and when its first message arrives. */
export async function short({ open, cli, cwd, sessions, modules, host }) {
  // Loading is measured elsewhere.
  if (modules[host] !== undefined) await import(modules[host]);
  const coldMs = await churnOnce(open, { cli, cwd });
  for (let i = 0; i < 4; i += 1) await churnOnce(open, { cli, cwd });
  await wake();
  const before = await settledMemory();
  const firsts = [];
  const watch = stopwatch();
  for (let i = 0; i < sessions; i += 1) firsts.push(await churnOnce(open, { cli, cwd }));
  const { ms, cpuMs } = watch();
  await wake();
  return {
    msEach: ms / sessions,
    cpuMsEach: cpuMs / sessions,
    firstMs: median(firsts),
    coldMs,
    kilobytesLeftEach: ((await settledMemory()) - before) / sessions / 1024,
  };
}

/** Leaves a flooding session; measures how long until the caller has control again. */
export async function leave({ open, cli, cwd, plan, by }) {
  const abort = new AbortController();
  const session = await open({ cli, cwd, signal: abort.signal });
  let left = 0;
  let count = 0;
  try {
    for await (const _ of session.start(`plan: ${plan}`)) {
      count += 1;
      if (count < 1000) continue;
      left ||= performance.now();
      if (by === 'break') break;
      if (by === 'throw') throw new Error('leave');
      abort.abort();
    }
  } catch {
    // Any end of the loop is fine: only the time counts.
  }
  return { ms: performance.now() - left };
}

/** Sessions opened and closed one at a time, and what is left of them. */
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

/** One short session; how long until its first message. */
async function churnOnce(open, { cli, cwd }) {
  const start = performance.now();
  let first;
  const session = await open({ cli, cwd });
  for await (const message of session.start('go')) {
    first ??= performance.now() - start;
    if (message.type === 'result') break;
  }
  await session.close();
  return first;
}

/** The cost of loading a module. */
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

/** From nothing to an open session: what a one-shot program waits for. */
export async function first({ load, cli, cwd }) {
  const watch = stopwatch();
  const open = await load();
  await open({ cli, cwd });
  return watch();
}

/** The first answer of a CLI that is started for it. */
export async function cold({ open, cli, cwd, warmUpCli }) {
  // A program that had a session before, such as a server or an editor, has its own code loaded and compiled.
  if (warmUpCli !== undefined) await churnOnce(open, { cli: warmUpCli, cwd });
  const start = performance.now();
  const session = await open({ cli, cwd });
  for await (const message of session.start('hello')) if (message.type === 'assistant') break;
  const ms = performance.now() - start;
  await Promise.race([session.close(), delay(3000)]);
  return { ms };
}

/** How many processes started by this one still run; only on Linux. */
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

/** Waits for work left from opening, so that it is not measured. */
const wake = () => delay(300);

/** Compiled code: it grows with what runs often, up to a point, and belongs to no session. */
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
