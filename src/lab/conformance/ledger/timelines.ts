import { changesOf } from '../../../host/cli/ledger/facts.js';
import type { Ledger } from '../../../host/cli/ledger/ledger.js';
import { compareVersions } from '../../../wire/util/versions.js';
import { factsOf, UNSEEN } from './facts-of-version.js';
import type { VersionRecord } from './version-record.js';

/** The value of a fact on one version. */
export interface Sighting {
  readonly version: string;
  readonly value: string;
}

/** What is known about every fact, version by version, oldest first. */
export type Timelines = ReadonlyMap<string, readonly Sighting[]>;

const FLAG = 'flag:';

/** Combines the records of all versions, and fills gaps from an earlier ledger. */
export function timelinesOf(records: readonly VersionRecord[], before?: Ledger): Timelines {
  const found = new Map(before === undefined ? [] : knownBefore(before));
  const tried = new Set([
    ...records.flatMap(({ taken, refused }) => [...taken, ...refused]),
    ...(before === undefined ? [] : hiddenFlags(before)),
  ]);
  const facts = records.map((record) => ({ record, ofIt: factsOf(record) }));
  const ids = [...new Set([...found.keys(), ...facts.flatMap(({ ofIt }) => [...ofIt.keys()])])].toSorted();
  for (const id of ids) {
    const values = found.get(id) ?? new Map<string, string>();
    for (const { record, ofIt } of facts) {
      const value = ofIt.get(id) ?? absent(id, record, tried);
      // A look at some facts does not undo what a full run has seen.
      const isKnown = value === UNSEEN && values.has(record.version);
      if (value !== undefined && !isKnown) values.set(record.version, value);
    }
    found.set(id, values);
  }
  return new Map(ids.map((id) => [id, decided(inOrder(found.get(id) ?? new Map()))]));
}

/** What a ledger says about the versions at which facts change, the ones right before, and the newest. */
function knownBefore(ledger: Ledger): readonly [string, Map<string, string>][] {
  const { published, facts } = ledger;
  const newest = published.at(-1);
  return Object.keys(facts).map((id) => {
    const changes = changesOf(ledger, id);
    const values = new Map<string, string>();
    for (const [at, { from, value, after }] of changes.entries()) {
      const last = after ?? published[published.indexOf(from) - 1];
      const old = changes[at - 1]?.value;
      if (last !== undefined && old !== undefined) values.set(last, old);
      values.set(from, value);
    }
    const now = changes.at(-1)?.value;
    if (newest !== undefined && now !== undefined) values.set(newest, now);
    return [id, values];
  });
}

/** The flags that a ledger has although no help lists them: they were tried. */
function hiddenFlags(ledger: Ledger): readonly string[] {
  const flags = Object.keys(ledger.facts).filter((id) => id.startsWith(FLAG));
  return flags
    .filter((id) => changesOf(ledger, id).some(({ value }) => value === 'hidden'))
    .map((id) => id.slice(FLAG.length));
}

function inOrder(values: ReadonlyMap<string, string>): readonly Sighting[] {
  return [...values]
    .map(([version, value]) => ({ version, value }))
    .toSorted((one, other) => compareVersions(one.version, other.version));
}

/** What it means if a version says nothing about a fact that others have. */
function absent(id: string, record: VersionRecord, tried: ReadonlySet<string>): string | undefined {
  if (id.startsWith('capability:')) return record.seen.includes('message system/init') ? 'no' : undefined;
  // For a flag that is never tried, only the help says whether it exists.
  return id.startsWith(FLAG) && !tried.has(id.slice(FLAG.length)) ? 'no' : undefined;
}

/** Gives facts that were named but could not be seen the value of their neighbours; none if those differ. */
function decided(sightings: readonly Sighting[]): readonly Sighting[] {
  const tells = ({ value }: Sighting) => value !== UNSEEN;
  return sightings.flatMap((sighting, at) => {
    if (tells(sighting)) return [sighting];
    const around = [sightings.slice(0, at).findLast(tells), sightings.slice(at).find(tells)];
    const values = new Set(
      around.flatMap((each) => (each === undefined || each.value === 'no' ? [] : [each.value])),
    );
    const [value = 'named'] = values;
    return values.size > 1 ? [] : [{ version: sighting.version, value }];
  });
}
