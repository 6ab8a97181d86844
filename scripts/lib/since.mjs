// Since when CLIs have what the catalog names, as the ledger says.
import { readFileSync } from 'node:fs';
import { changesOf, factAt } from '../../src/host/cli/ledger/facts.ts';

const ledger = JSON.parse(readFileSync('src/host/cli/ledger/ledger.json', 'utf8'));

/** The values of a fact that mean that a CLI has it; `named` is in its program, and no probe could reach it. */
const YES = ['served', 'refused', 'ends', 'named', 'seen', 'pass'];

/** What the facts about each part of the catalog are called; the ledger has none about messages of the host. */
const KINDS = {
  hostRequests: 'request',
  cliRequests: 'cli-request',
  messages: 'message',
  hookEvents: 'hook-event',
};

/** Whether a version has an entry of a part of the catalog. */
export function isIn(version, part, name) {
  return YES.includes(factAt(ledger, `${KINDS[part]}:${name}`, version));
}

/** The first version that has it: `2.1.40`, `all`, `2.0.0 to 2.1.40` if a later one lacks it, or a dash. */
export function since(part, name) {
  const changes = changesOf(ledger, `${KINDS[part]}:${name}`);
  const isYes = ({ value }) => YES.includes(value);
  const last = changes.findLastIndex(isYes);
  if (last === -1) return '–';
  const first = changes.findLastIndex((change, at) => at < last && !isYes(change)) + 1;
  const { from } = changes[first];
  if (last < changes.length - 1) return `${from}, before ${changes[last + 1].from}`;
  return first === 0 ? 'all' : from;
}

/** The first version that answers requests that it does not know. */
export function firstToRefuse() {
  return changesOf(ledger, 'envelope:unknown-subtype').find(({ value }) => value === 'pass').from;
}
