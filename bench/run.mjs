// The benchmarks: ours, the official SDK and a raw loop in one run. Usage: npm run bench -- [case …] [--rounds n]
// [--table] [--json file] [--write] [--realtime]. With --write the figures become the baseline, the page in the docs and
// the table of the README; with --table only the cases of that table are measured, five rounds of each, in about ten
// minutes. With --realtime measurements take priority over everything else on the machine (Linux, as root), which
// stabilises them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureInstalled } from '../scripts/lib/ensure-installed.mjs';
import { run } from '../scripts/lib/run.mjs';
import { cases, growth, table } from './cases.mjs';
import { figuresOf, measureCase, subjectsOf } from './lib/measure-case.mjs';
import { printCase, printGrowth } from './lib/print.mjs';
import { median } from './lib/stats.mjs';
import { makeSurroundings } from './lib/surroundings.mjs';

const BASELINE = 'bench/baseline.json';
const all = { ...cases, ...growth };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    table: { type: 'boolean', default: false },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    realtime: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const unknown = positionals.find((name) => !(name in all));
if (options.help || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no case "${unknown}".`);
  console.error(
    'npm run bench -- [case …] [--rounds n] [--table] [--json file] [--write] [--realtime]\n\nCases:',
  );
  for (const [name, { title }] of Object.entries(all)) console.error(`  ${name.padEnd(20)} ${title}`);
  process.exit(unknown === undefined ? 0 : 2);
}

await prepare();
const wanted = options.table ? [...new Set(table.map(([name]) => name))] : Object.keys(all);
const names = positionals.length > 0 ? positionals : wanted;
const baseline = JSON.parse(readFileSync(BASELINE, 'utf8'));
const results = await measureAll(names);
const report = {
  machine: {
    cpu: cpus()[0]?.model.trim() ?? '',
    cores: cpus().length,
    node: process.version,
    platform: process.platform,
  },
  ...baseline,
  cases: Object.fromEntries(
    Object.keys(all).flatMap((name) => kept(name, { ...baseline.cases, ...results })),
  ),
};
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ ...report, cases: results }, null, 1)}\n`);
if (options.write) {
  writeFileSync(BASELINE, `${JSON.stringify(report, null, 1)}\n`);
  await run(process.execPath, ['--import', './scripts/lib/sources.mjs', 'scripts/write-reference.mjs']);
}

/** Removed cases leave the baseline too. */
function kept(name, from) {
  return from[name] === undefined ? [] : [[name, from[name]]];
}

async function prepare() {
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) process.exit(1);
  for (const folder of ['test/peers', 'test/real-clis'])
    if (!(await ensureInstalled(folder))) process.exit(1);
}

async function measureAll(wanted) {
  const surroundings = await makeSurroundings();
  const found = {};
  try {
    for (const name of wanted) {
      found[name] =
        name in growth ? await measureGrowth(name, surroundings) : await measureFigures(name, surroundings);
    }
  } finally {
    await surroundings.close();
  }
  return found;
}

/** A case that is a separate program: every number it prints is a figure. */
function runProgram({ title, program, goals, subjects }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--json'], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`${program} failed (${status}): ${stderr}`);
  const { schema: _schema, ...figures } = JSON.parse(stdout);
  return {
    title,
    subjects,
    figures: Object.entries(figures)
      .filter(([, value]) => typeof value === 'number')
      .map(([figure, value]) => ({ name: figure, goal: goals[figure], values: { coxswain: value } })),
  };
}

async function measureFigures(name, surroundings) {
  const each = cases[name];
  if (each.program !== undefined) {
    const result = runProgram(each);
    printCase(result, baseline.cases[name]);
    return result;
  }
  const { rounds = options.table ? Math.min(5, each.rounds) : undefined, realtime } = options;
  const measured = await measureCase(each, surroundings, {
    realtime,
    ...(rounds === undefined ? {} : { rounds: Number(rounds) }),
    onRound: (round, of) => progress(`${each.title}: ${round} of ${of}`),
  });
  const result = {
    title: each.title,
    subjects: subjectsOf(each),
    figures: figuresOf(each, measured),
  };
  progress('');
  printCase(result, baseline.cases[name]);
  return result;
}

async function measureGrowth(name, surroundings) {
  const { title, sizes, unit, of, plan, wish, ...rest } = growth[name];
  const points = [];
  for (const size of sizes) {
    progress(`${title}: ${size}`);
    const each = { ...rest, plan: plan?.(size), wish: wish?.(size) };
    const measured = await measureCase(each, surroundings, { realtime: options.realtime });
    const values = Object.entries(measured).map(([host, found]) => [host, median(found.map(of))]);
    points.push({ size, values: Object.fromEntries(values) });
  }
  progress('');
  const result = { title, unit, points };
  printGrowth(result);
  return result;
}

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
