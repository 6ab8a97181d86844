// Where the time goes for a stream event and for each kind of call: node bench/profile.mjs [--write].
// Samples of the CPU profiler, by what the code belongs to.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fastCli } from './lib/fast-cli.mjs';

const subjects = {
  'a stream event of 300 B': { count: 1_000_000, wish: { measure: 'turn', plan: 'flood 1000000 300' } },
  'a call of an in-process tool': calls('tools', 100),
  'a permission call': calls('permissions', 100),
  'a hook call': calls('hooks', 100),
  'a control call': { count: 200_000, wish: { measure: 'control', width: 1000, counts: counts(200_000) } },
};

/** A long run of calls, `width` at a time. */
function calls(kind, width, count = 200_000) {
  return { count, wish: { measure: 'calls', kind, width, counts: counts(count) } };
}

function counts(long) {
  return { warmUp: 1000, burst: 1000, long };
}

/** The first group that matches a frame gets its time. */
const groups = [
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ['waiting', ({ functionName }) => ['(idle)', '(program)', '(root)'].includes(functionName)],
  ['reading JSON', ({ functionName }) => ['objectIn', 'decodeLine'].includes(functionName)],
  ['writing JSON (encode)', ({ source }) => source.startsWith('src/wire/protocol/encode')],
  ['cutting lines', ({ source }) => /byte-lines|line-reader/.test(source)],
  ['the session', ({ source }) => /^src\/host\/(?:session|core)\//.test(source)],
  ['the peer', ({ source }) => source.startsWith('src/wire/peer/')],
  ['our MCP bridge', ({ source }) => source.startsWith('src/host/mcp/')],
  ['the MCP package and the schema', ({ url }) => /modelcontextprotocol|zod/.test(url)],
  ['other code of ours', ({ source }) => source !== ''],
  ['the loop that reads', ({ url }) => /bench\//.test(url)],
  ['loading modules', ({ url }) => /esm\/|cjs\/|realm|translators/.test(url)],
  ['Node: streams, promises, system calls', () => true],
];

const lines = new Map();
const cli = resolve(await fastCli());
const found = Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, profile(subject)]));
for (const [name, { microseconds, parts }] of Object.entries(found)) {
  console.log(`\n${name}: ${microseconds.toFixed(2)} µs of CPU time`);
  for (const { part, share } of parts) console.log(`  ${(share * 100).toFixed(1).padStart(5)} %  ${part}`);
}
if (process.argv.includes('--write'))
  writeFileSync('bench/profile.json', `${JSON.stringify(found, null, 1)}\n`);

function profile({ count, wish }) {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-profile-'));
  const order = JSON.stringify({ host: 'coxswain', cli, cwd: folder, ...wish });
  const args = ['--expose-gc', '--cpu-prof', `--cpu-prof-dir=${folder}`, 'bench/measure.mjs', order];
  try {
    const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
    const measured = JSON.parse(stdout);
    const { cpuMs } = measured.long ?? measured;
    return {
      microseconds: (cpuMs * 1000) / count,
      parts: shares(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The share of each group, largest first, without the time before and after. */
function shares({ nodes, samples, timeDeltas }) {
  const groupOf = new Map(
    nodes.map(({ id, callFrame: frame }) => {
      const known = { ...frame, source: sourceOf(frame) };
      return [id, groups.find(([, fits]) => fits(known))[0]];
    }),
  );
  const totals = new Map();
  for (const [index, id] of samples.entries()) {
    const group = groupOf.get(id);
    totals.set(group, (totals.get(group) ?? 0) + timeDeltas[index]);
  }
  for (const left of ['waiting', 'loading modules']) totals.delete(left);
  const all = [...totals.values()].reduce((sum, each) => sum + each, 0);
  return [...totals]
    .map(([part, micros]) => ({ part, share: micros / all }))
    .sort((a, b) => b.share - a.share);
}

/** The source of a line in `dist`, '' for everything else: a comment precedes the code of each source. */
function sourceOf({ url, lineNumber }) {
  if (!url.includes('/dist/') || url.includes('node_modules')) return '';
  if (!lines.has(url)) lines.set(url, readFileSync(new URL(url), 'utf8').split('\n'));
  const before = lines.get(url).slice(0, lineNumber + 1);
  return before.findLast((line) => line.startsWith('// src/'))?.slice(3) ?? 'src/';
}
