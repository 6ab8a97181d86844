// Runs one case: every implementation in a separate process, round after round, so that other load on the machine
// affects all of them equally.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { modules } from '../hosts/hosts.mjs';
import { median } from './stats.mjs';

const named = (host) => (typeof host === 'string' ? { name: host, host } : host);

/** Whose figures the goals of a case apply to: both entry points, if it measures both. */
export const subjectsOf = ({ subjects, hosts }) =>
  subjects ?? hosts.filter((host) => host === 'coxswain' || host === 'compat');

/** The measurements of each implementation, in the order of the rounds. The first round only warms up. */
export async function measureCase(
  each,
  surroundings,
  { rounds = each.rounds, onRound = () => {}, realtime } = {},
) {
  const place = await surroundings.for(each);
  const hosts = each.hosts.map(named);
  const measured = Object.fromEntries(hosts.map(({ name }) => [name, []]));
  const warmUps = rounds > 2 ? 1 : 0;
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const { name, host, record } of hosts) {
      const wish = {
        host,
        measure: each.measure,
        modules,
        plan: each.plan,
        ...each.wish,
        ...placed(place),
        ...warmUp(each, place),
      };
      if (record) wish.options = { record: { to: join(surroundings.folder, `${name}.trace`), ...record } };
      const result = await measureOnce(wish, place.env, { pinned: each.measure === 'leave', realtime });
      if (round >= 0) measured[name].push(result);
    }
    onRound(round + 1, rounds);
  }
  return measured;
}

/** Each figure of a case by implementation: the median over the rounds, of ratios within a round if it is relative. */
export function figuresOf(each, measured) {
  return each.figures.map(({ name, of, relative, goal }) => {
    const values = Object.entries(measured).map(([host, results]) => {
      const own = results.map((result, round) =>
        relative === undefined ? of(result) : of(result) / of(measured[relative][round]),
      );
      return [host, median(own)];
    });
    return { name, goal, values: Object.fromEntries(values) };
  });
}

const placed = ({ cli, cwd }) => ({ cli, cwd });

const warmUp = ({ warmUp: wanted }, { fast }) => (wanted ? { warmUpCli: fast } : {});

/** One measurement; if latency matters, it is pinned to one core. */
function measureOnce(wish, env, { pinned, realtime }) {
  const pin = pinned && availableParallelism() > 1 && existsSync('/usr/bin/taskset');
  const [program, ...args] = [
    ...(realtime ? ['chrt', '--rr', '1'] : []),
    ...(pin ? ['/usr/bin/taskset', '-c', '1'] : []),
    process.execPath,
    '--expose-gc',
    'bench/measure.mjs',
    JSON.stringify(wish),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, errors] = [[], []];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => errors.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), MEASURE_MS);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      const line = Buffer.concat(out).toString().trim().split('\n').at(-1) ?? '';
      if (code === 0 && line.startsWith('{')) resolve(JSON.parse(line));
      else reject(new Error(`${wish.host} ${wish.measure} failed (${code}): ${Buffer.concat(errors)}`));
    });
  });
}

const MEASURE_MS = 180_000;
