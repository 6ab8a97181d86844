import { isRequirementId, type RequirementId } from '../requirements/requirements.js';
import type { Sighting, Timelines } from './timelines.js';
import { settle, type VersionRecord } from './version-record.js';

/** A version to look at, and the facts in question there. */
export interface Visit {
  readonly version: string;
  readonly facts: ReadonlySet<string>;
}

/** The versions to probe in full, so that nowhere more than `gap` versions in a row are known by their neighbours alone. */
export function spread(
  published: readonly string[],
  probed: ReadonlySet<string>,
  gap: number,
): readonly string[] {
  const chosen: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [at, version] of published.entries()) {
    const isEnd = at === 0 || at === published.length - 1;
    if (!probed.has(version) && !isEnd && at - last <= gap) continue;
    last = at;
    if (!probed.has(version)) chosen.push(version);
  }
  return chosen;
}

/** The versions to look at next, so that the place of each change becomes known; most facts first. */
export function boundaryVisits(timelines: Timelines, published: readonly string[]): readonly Visit[] {
  const place = new Map(published.map((version, at) => [version, at]));
  const visits = new Map<string, Set<string>>();
  for (const [id, sightings] of timelines) {
    for (const [before, after] of changesIn(sightings)) {
      const middle = middleOf(place.get(before.version), place.get(after.version));
      const version = middle === undefined ? undefined : published[middle];
      if (version === undefined) continue;
      visits.set(version, (visits.get(version) ?? new Set()).add(id));
    }
  }
  return mostFirst(visits);
}

/**
 * Requirements whose verdict needs another run: runs disagree, one version differs from both its neighbours, or it
 * differs from one of them because something did not come in time.
 */
export function doubtfulVisits(records: readonly VersionRecord[], timelines: Timelines): readonly Visit[] {
  const visits = records.map((record): [string, ReadonlySet<string>] => {
    const doubtful = idsOf(record).filter((id) => isDoubtful(record, id, timelines.get(id) ?? []));
    return [record.version, new Set(doubtful)];
  });
  return mostFirst(new Map(visits.filter(([, facts]) => facts.size > 0)));
}

function isDoubtful(record: VersionRecord, id: string, sightings: readonly Sighting[]): boolean {
  const { verdict, runs, detail } = settle(record, id);
  if (verdict === undefined) return true;
  const at = sightings.findIndex(({ version }) => version === record.version);
  return runs < 2 && isOdd(sightings, at, WAITED.test(detail));
}

/** The requirements that probes must judge for these facts to become known. */
export function requirementsFor(facts: ReadonlySet<string>): ReadonlySet<RequirementId> {
  return new Set([...facts].flatMap(neededFor).filter(isRequirementId));
}

function neededFor(id: string): readonly string[] {
  const [kind, name] = id.split(':');
  // What is told in `system/init` is seen in any turn, and a request that is not named meets what all unknown ones meet.
  if (kind === 'capability') return ['handshake:init-each-turn'];
  return kind === 'request' ? [`endpoint:${name}`, 'envelope:unknown-subtype'] : [id];
}

const SENT = new Set(['named', 'seen']);

function* changesIn(sightings: readonly Sighting[]): Iterable<readonly [Sighting, Sighting]> {
  for (const [at, after] of sightings.entries()) {
    const before = sightings[at - 1];
    if (before === undefined || before.value === after.value) continue;
    // Only a full run can tell when something that is named began to be seen.
    if (!SENT.has(before.value) || !SENT.has(after.value)) yield [before, after];
  }
}

function middleOf(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined || after === undefined || after - before < 2) return undefined;
  return Math.floor((before + after) / 2);
}

/** What probes say where they waited in vain, as they also do on a busy machine. */
const WAITED = /^(?:what was waited for did not come|the handshake failed: no answer)/;

/** Whether a sighting agrees with neither neighbour though they agree, or, where that is enough, not with one of them. */
function isOdd(sightings: readonly Sighting[], at: number, oneIsEnough: boolean): boolean {
  const value = sightings[at]?.value;
  const around = [sightings[at - 1], sightings[at + 1]].filter((each) => each !== undefined);
  const others = around.filter((each) => each.value !== value);
  if (oneIsEnough) return others.length > 0;
  return others.length === 2 && others[0]?.value === others[1]?.value;
}

function idsOf({ runs }: VersionRecord): readonly string[] {
  return [...new Set(runs.flatMap(({ verdicts }) => Object.keys(verdicts)))];
}

function mostFirst(visits: ReadonlyMap<string, ReadonlySet<string>>): readonly Visit[] {
  return [...visits]
    .map(([version, facts]) => ({ version, facts }))
    .toSorted((one, other) => other.facts.size - one.facts.size);
}
