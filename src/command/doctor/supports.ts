import { cliRequests, hookEvents, hostRequests, messages } from '../../wire/protocol/catalog/catalog.js';
import type { CatalogEntry, ProbedVersion } from '../../wire/protocol/catalog/entries.js';
import type { SupportFacts } from './diagnosis.js';

/** What a CLI supports, by what was seen of the probed version that speaks for it. */
export function supportsOf(version: ProbedVersion): readonly SupportFacts[] {
  return [
    facts('requests to the CLI', hostRequests, version),
    facts('requests from the CLI', cliRequests, version),
    facts('messages', messages, version),
    facts('hook events', hookEvents, version),
  ];
}

function facts(
  what: string,
  entries: Readonly<Record<string, CatalogEntry>>,
  version: ProbedVersion,
): SupportFacts {
  // What no probed version has is no news about this one.
  const all = Object.values(entries).filter(({ seen }) => seen.length > 0);
  const missing = all.filter(({ seen }) => !seen.includes(version)).map(({ name }) => name);
  return { what, known: all.length - missing.length, total: all.length, missing };
}
