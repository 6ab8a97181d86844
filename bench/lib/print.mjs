// The figures on a terminal.
import { goalText, isMet, shown } from './stats.mjs';

/** A change smaller than this says more of the machine than of the code. */
const DRIFT = 0.1;

export function printCase({ title, subject, figures }, before) {
  console.log(`\n${title}`);
  for (const { name, goal, values } of figures) {
    const list = Object.entries(values).map(([host, value]) => `${host} ${shown(value)}`);
    const own = values[subject];
    const verdict =
      goal === undefined ? '' : `  goal ${goalText(goal)}: ${isMet(own, goal) ? 'met' : 'MISSED'}`;
    console.log(`  ${name}: ${list.join(', ')}${verdict}${drift(own, name, subject, before)}`);
  }
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
  return `  (baseline ${shown(old)})`;
}
