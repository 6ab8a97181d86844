// The figures on a terminal.
import { goalText, missesOf, shown } from './stats.mjs';

/** A smaller change says more about the machine than about the code. */
const DRIFT = 0.1;

export function printCase({ title, subjects, figures }, before) {
  console.log(`\n${title}`);
  for (const { name, goal, values } of figures) {
    const list = Object.entries(values).map(([host, value]) => `${host} ${shown(value)}`);
    const drifts = subjects.map((subject) => drift(values[subject], name, subject, before)).join('');
    console.log(`  ${name}: ${list.join(', ')}${verdict(values, goal, subjects)}${drifts}`);
  }
}

function verdict(values, goal, subjects) {
  if (goal === undefined) return '';
  const missed = missesOf(values, goal, subjects).map(({ subject }) => subject);
  return `  goal ${goalText(goal)}: ${missed.length === 0 ? 'met' : `MISSED by ${missed.join(', ')}`}`;
}

export function printGrowth({ title, unit, points }) {
  console.log(`\n${title} (${unit})`);
  for (const { size, values } of points) {
    const list = Object.entries(values).map(([host, value]) => `${host} ${shown(value)}`);
    console.log(`  ${size.toLocaleString('en').padStart(9)}: ${list.join(', ')}`);
  }
}

function drift(value, name, subject, before) {
  const old = before?.figures?.find((figure) => figure.name === name)?.values[subject];
  if (old === undefined || old === 0 || Math.abs(value / old - 1) < DRIFT) return '';
  return `  (${subject} in the baseline: ${shown(old)})`;
}
