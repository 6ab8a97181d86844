export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A readable number: three significant digits. */
export function shown(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en');
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const isMet = (value, { atLeast, atMost }) =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);

export const goalText = ({ atLeast, atMost }) =>
  atLeast === undefined ? `≤ ${shown(atMost)}` : `≥ ${shown(atLeast)}`;

/** The implementations among `subjects` that miss a goal, with by how much. */
export const missesOf = (values, goal, subjects) =>
  subjects
    .filter((subject) => values[subject] !== undefined && !isMet(values[subject], goal))
    .map((subject) => ({ subject, by: Math.abs(values[subject] - (goal.atLeast ?? goal.atMost)) }));
