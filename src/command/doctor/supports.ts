import { type Facts, factAt } from '../../host/cli/ledger/facts.js';
import { readLedger } from '../../host/cli/ledger/ledger.js';
import type { SupportFacts } from './diagnosis.js';

/** What a CLI supports, according to the ledger entry for its version. */
export function supportsOf(version: string | undefined): readonly SupportFacts[] {
  const ledger = readLedger();
  if (version === undefined) return [];
  return [
    supported('requests to the CLI', 'request:', version, ledger),
    supported('requests from the CLI', 'cli-request:', version, ledger),
    supported('messages', 'message:', version, ledger),
    supported('hook events', 'hook-event:', version, ledger),
    supported('flags', 'flag:', version, ledger),
  ];
}

/** The values that mean that a CLI lacks something. */
const ABSENT: ReadonlySet<string | undefined> = new Set(['no', 'fail', 'silent', 'unknown', undefined]);

function supported(what: string, prefix: string, version: string, ledger: Facts): SupportFacts {
  // What no version has says nothing about this one.
  const all = Object.keys(ledger.facts).filter(
    (id) => id.startsWith(prefix) && isSomewhere(ledger.facts[id]),
  );
  const missing = all.filter((id) => ABSENT.has(factAt(ledger, id, version)));
  const names = missing.map((id) => id.slice(prefix.length));
  return { what, known: all.length - missing.length, total: all.length, missing: names };
}

function isSomewhere(changes = ''): boolean {
  return changes.split(', ').some((change) => !ABSENT.has(change.split(' ')[1]));
}
