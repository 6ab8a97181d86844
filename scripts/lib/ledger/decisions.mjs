// src/host/cli/ledger/decisions.ts: the few facts of the ledger that sessions depend on, so that they need not load it.
import { decisionFacts } from './decision-facts.mjs';

const HEAD = `// Written by scripts/write-reference.mjs from ledger.json and scripts/lib/ledger/decision-facts.mjs: edit those.

/** The facts that sessions depend on, as in the ledger. */
export const decisions = {`;

/** The text of the file. */
export function decisionsText({ facts }) {
  const chosen = Object.keys(facts).filter((id) => decisionFacts.some((wanted) => fits(wanted, id)));
  const missing = decisionFacts.filter((wanted) => !chosen.some((id) => fits(wanted, id)));
  if (missing.length > 0) throw new Error(`the ledger has no ${missing.join(', ')}`);
  return `${HEAD}\n${chosen
    .sort()
    .map((id) => line(id, facts[id]))
    .join('\n')}\n} as const;\n`;
}

function fits(wanted, id) {
  return wanted.endsWith('*') ? id.startsWith(wanted.slice(0, -1)) : id === wanted;
}

/** Wrapped as the formatter would. */
function line(id, text) {
  const whole = `  '${id}': '${text}',`;
  return whole.length <= 110 ? whole : `  '${id}':\n    '${text}',`;
}
