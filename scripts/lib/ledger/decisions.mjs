// src/host/cli/ledger/decisions.ts: the few facts of the ledger that sessions depend on, so that they need not load it.
import { builtinPatches } from '../../../src/host/patches/registry.ts';
import { readPatchRecord } from '../patch-record.mjs';
import { FIRST_NATIVE } from './cli-cache.mjs';
import { decisionFacts } from './decision-facts.mjs';

const HEAD = `// Written by scripts/write-reference.mjs from ledger.json, scripts/lib/ledger/decision-facts.mjs and
// docs/reference/patches.json: edit those.

/** The facts that sessions depend on: of the ledger, and where patches work. */
export const decisions = {`;

/** The text of the file. */
export function decisionsText(ledger) {
  const facts = { ...ledger.facts, ...patchFacts(readPatchRecord()) };
  const chosen = Object.keys(facts).filter((id) => decisionFacts.some((wanted) => fits(wanted, id)));
  const missing = decisionFacts.filter((wanted) => !chosen.some((id) => fits(wanted, id)));
  if (missing.length > 0) throw new Error(`the ledger has no ${missing.join(', ')}`);
  return `${HEAD}\n${chosen
    .sort()
    .map((id) => line(id, facts[id]))
    .join('\n')}\n} as const;\n`;
}

/** In which versions a patched copy serves each request, from the results on the CLIs themselves. */
function patchFacts(record) {
  const served = builtinPatches.flatMap(({ id, serves = [] }) => serves.map((request) => [request, id]));
  return Object.fromEntries(
    served.map(([request, id]) => {
      const found = Object.entries(record).map(([version, { cells }]) => [version, resultOf(cells[id])]);
      const changes = [...found, [FIRST_NATIVE, 'no']].filter(
        ([, value], at, all) => value !== all[at - 1]?.[1],
      );
      return [`patch:${request}`, changes.map((change) => change.join(' ')).join(', ')];
    }),
  );
}

function resultOf(cell = '') {
  return /^(?:works|applied)/.test(cell) ? 'works' : 'no';
}

function fits(wanted, id) {
  return wanted.endsWith('*') ? id.startsWith(wanted.slice(0, -1)) : id === wanted;
}

/** Wrapped as the formatter would. */
function line(id, text) {
  const whole = `  '${id}': '${text}',`;
  return whole.length <= 110 ? whole : `  '${id}':\n    '${text}',`;
}
