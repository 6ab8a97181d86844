import { type FactChange, writeChanges } from '../../../host/cli/ledger/facts.js';
import type { Ledger } from '../../../host/cli/ledger/ledger.js';
import { compareVersions } from '../../../wire/util/versions.js';
import { withoutDoubtful } from './plan.js';
import { type Sighting, timelinesOf } from './timelines.js';
import { isFullyProbed, settle, type VersionRecord } from './version-record.js';

/** Builds the ledger from the findings for each version, and optionally from an earlier ledger. */
export function compact(
  records: readonly VersionRecord[],
  published: readonly string[],
  before?: Ledger,
): Ledger {
  const sorted = records.toSorted((one, other) => compareVersions(one.version, other.version));
  const sure = withoutDoubtful(sorted, timelinesOf(sorted, before));
  const full = new Set([...(before?.probed ?? []), ...sorted.filter(isFullyProbed).map(versionOf)]);
  const looked = new Set([...(before?.looked ?? []), ...sorted.map(versionOf)]);
  const probed = published.filter((version) => full.has(version));
  return {
    published,
    probed,
    looked: published.filter((version) => looked.has(version) && !probed.includes(version)),
    facts: Object.fromEntries(
      [...timelinesOf(sure, before)]
        .filter(([id, sightings]) => !isNoFlag(id, sightings))
        .map(([id, sightings]) => [id, writeChanges(changes(sightings, published))]),
    ),
    unsteady: unsteady(sorted, before?.unsteady),
  };
}

/** Whether no version has a flag: it was taken for one by mistake. */
function isNoFlag(id: string, sightings: readonly Sighting[]): boolean {
  return id.startsWith('flag:') && sightings.every(({ value }) => value === 'no');
}

function versionOf({ version }: VersionRecord): string {
  return version;
}

/** The ledger as a file: one line per fact, so a review shows what changed. */
export function ledgerText({ published, probed, looked, facts, unsteady: marked }: Ledger): string {
  const list = (name: string, items: readonly string[]) => `"${name}": ${JSON.stringify(items)}`;
  const lines = (name: string, entries: Readonly<Record<string, string>>) => {
    const rows = Object.entries(entries).map(
      ([id, text]) => `  ${JSON.stringify(id)}: ${JSON.stringify(text)}`,
    );
    return `"${name}": {${rows.length === 0 ? '' : `\n${rows.join(',\n')}\n `}}`;
  };
  const parts = [
    list('published', published),
    list('probed', probed),
    list('looked', looked),
    lines('facts', facts),
    lines('unsteady', marked),
  ];
  return `{\n ${parts.join(',\n ')}\n}\n`;
}

function changes(sightings: readonly Sighting[], published: readonly string[]): readonly FactChange[] {
  const found: FactChange[] = [];
  for (const [at, { version, value }] of sightings.entries()) {
    const before = sightings[at - 1];
    if (before?.value === value) continue;
    const isExact =
      before === undefined || published.indexOf(version) - published.indexOf(before.version) <= 1;
    found.push({ from: version, value, ...(isExact ? {} : { after: before.version }) });
  }
  return found;
}

function unsteady(
  records: readonly VersionRecord[],
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const found = new Map(Object.entries(before).map(([id, versions]) => [id, versions.split(', ')]));
  for (const record of records) {
    const ids = new Set(record.runs.flatMap(({ verdicts }) => Object.keys(verdicts)));
    for (const id of ids) {
      if (settle(record, id).flickers) found.set(id, [...(found.get(id) ?? []), record.version]);
    }
  }
  return Object.fromEntries(
    [...found]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, versions]) => [id, [...new Set(versions)].toSorted(compareVersions).join(', ')]),
  );
}
