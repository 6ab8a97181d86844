import { compareVersions } from '../../../wire/util/versions.js';
import { factsOf, UNSEEN } from './facts-of-version.js';
import type { VersionRecord } from './version-record.js';

/** What a fact was found to be on one version. */
export interface Sighting {
  readonly version: string;
  readonly value: string;
}

/** What is known of every fact, version by version, oldest first. */
export type Timelines = ReadonlyMap<string, readonly Sighting[]>;

/** Lays the records of all versions side by side. */
export function timelinesOf(records: readonly VersionRecord[]): Timelines {
  const sorted = records.toSorted((one, other) => compareVersions(one.version, other.version));
  const facts = sorted.map((record) => ({ record, found: factsOf(record) }));
  const tried = new Set(records.flatMap(({ taken, refused }) => [...taken, ...refused]));
  const ids = [...new Set(facts.flatMap(({ found }) => [...found.keys()]))].toSorted();
  return new Map(
    ids.map((id) => {
      const sightings = facts.flatMap(({ record, found }) => {
        const value = found.get(id) ?? absent(id, record, tried);
        return value === undefined ? [] : [{ version: record.version, value }];
      });
      return [id, decided(sightings)];
    }),
  );
}

/** What it means that a version tells nothing about a fact that others have. */
function absent(id: string, record: VersionRecord, tried: ReadonlySet<string>): string | undefined {
  if (id.startsWith('capability:')) return record.seen.includes('message system/init') ? 'no' : undefined;
  // Only the help tells of a flag that is tried on no version.
  return id.startsWith('flag:') && !tried.has(id.slice('flag:'.length)) ? 'no' : undefined;
}

/** Gives what was named but could not be seen the value of its neighbours that tell; where they differ, none. */
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
