// Plays fleets in virtual time, one for each seed, and reports what must not happen:
//   npm run simulate -- [--seeds 1000] [--from 1] [--plant <fault>]
// The same seed plays the same. A failure is printed with as few disturbances as it needs.
import { parseArgs } from 'node:util';
import { PLANTED, play, shortest } from '../test/support/simulation/simulation.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    plant: { type: 'string' },
  },
});
const { plant: planted } = values;
if (planted !== undefined && !PLANTED.includes(planted)) {
  console.error(`--plant is one of ${PLANTED.join(', ')}.`);
  process.exit(1);
}
const [from, seeds] = [Number(values.from), Number(values.seeds)];
const began = performance.now();
const failed = [];
const totals = { accepted: 0, unknown: 0, disturbances: 0 };
const [events, points] = [new Map(), new Map()];
for (let seed = from; seed < from + seeds; seed += 1) {
  const verdict = await play({ seed, planted });
  for (const name of Object.keys(totals)) totals[name] += verdict[name];
  addTo(events, verdict.events);
  addTo(points, verdict.points);
  if (verdict.wrong.length === 0) continue;
  failed.push(verdict);
  console.log(`seed ${seed}: ${verdict.wrong.join('; ')}`);
}
const seconds = (performance.now() - began) / 1000;
console.log(
  `${seeds} seeds in ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(1)} a second; ${failed.length} failed`,
);
const { accepted, unknown, disturbances } = totals;
console.log(`${accepted} accepted messages, ${unknown} of them unknown; ${disturbances} disturbances`);
console.log(`events: ${textOf(events)}`);
console.log(`points: ${textOf(points)}`);
if (failed.length > 0) {
  const [least] = failed.sort((one, other) => one.trace.length - other.trace.length);
  const { seed, trace, wrong } = await shortest({ seed: least.seed, planted });
  console.log(`\nThe shortest trace, of seed ${seed}: ${wrong.join('; ')}\n${trace.join('\n')}`);
  process.exitCode = 1;
}

function addTo(sums, counts) {
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
}

function textOf(counts) {
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
