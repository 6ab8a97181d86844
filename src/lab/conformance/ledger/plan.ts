import { isRequirementId, type RequirementId, requirementIds } from '../requirements/requirements.js';
import type { Sighting, Timelines } from './timelines.js';
import { isFullyProbed, settle, type VersionRecord } from './version-record.js';

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

/**
 * The versions to look at next, so that the place of each change becomes known; most facts first. Each change is looked
 * for about in the middle of where it can be, so that many of them share a version.
 */
export function boundaryVisits(timelines: Timelines, published: readonly string[]): readonly Visit[] {
  let open = openChanges(timelines, published);
  const visits: Visit[] = [];
  while (open.length > 0) {
    const at = mostWanted(open);
    const here = open.filter(({ from, to }) => from <= at && at <= to);
    visits.push({ version: published[at] ?? '', facts: new Set(here.map(({ id }) => id)) });
    open = open.filter((each) => !here.includes(each));
  }
  return visits;
}

/** A change whose place is not known, and the places of the versions in the middle of where it can be. */
interface OpenChange {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

function openChanges(timelines: Timelines, published: readonly string[]): readonly OpenChange[] {
  const place = new Map(published.map((version, at) => [version, at]));
  const placeOf = ({ version }: Sighting) => place.get(version) ?? Number.NaN;
  return [...timelines].flatMap(([id, sightings]) =>
    [...changesIn(sightings)].flatMap(([before, after]) => {
      const [low, high] = [placeOf(before) + 1, placeOf(after) - 1];
      const slack = Math.floor((high - low) / 4);
      return low <= high ? [{ id, from: low + slack, to: high - slack }] : [];
    }),
  );
}

/** The place that most changes can be looked for at; of several the one that is nearest to their middles. */
function mostWanted(open: readonly OpenChange[]): number {
  const wanted = new Map<number, number>();
  for (const { from, to } of open) {
    for (let at = from; at <= to; at += 1) {
      const fromMiddle = Math.abs(2 * at - from - to);
      wanted.set(at, (wanted.get(at) ?? 0) + 1 - fromMiddle / 1e6);
    }
  }
  return [...wanted].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/**
 * Requirements whose verdict needs another run: runs disagree, one version differs from both its neighbours, or it
 * differs from one of them because something did not come in time.
 */
export function doubtfulVisits(records: readonly VersionRecord[], timelines: Timelines): readonly Visit[] {
  return visitsFor(records, (record) =>
    idsOf(record).filter((id) => isDoubtful(record, id, timelines.get(id) ?? [])),
  );
}

/** The records without the verdicts that need another run: until there is one, the neighbours are believed. */
export function withoutDoubtful(
  records: readonly VersionRecord[],
  timelines: Timelines,
): readonly VersionRecord[] {
  const doubtful = new Map(doubtfulVisits(records, timelines).map(({ version, facts }) => [version, facts]));
  return records.map((record) => {
    const left = (id: string) => doubtful.get(record.version)?.has(id) !== true;
    const runs = record.runs.map((run) => ({
      ...run,
      verdicts: Object.fromEntries(Object.entries(run.verdicts).filter(([id]) => left(id))),
    }));
    return { ...record, runs };
  });
}

/** What is newer than a full run: requirements that it did not know, flags that it did not try, fields not looked for. */
export function untriedVisits(
  records: readonly VersionRecord[],
  triedFlags: readonly string[],
  lookedFields: readonly string[] = [],
): readonly Visit[] {
  return visitsFor(records.filter(isFullyProbed), (record) => {
    const probed = new Set(idsOf(record));
    const flags = new Set([...record.taken, ...record.refused]);
    return [
      ...requirementIds.filter((id) => !probed.has(id)),
      ...triedFlags.filter((flag) => !flags.has(flag)).map((flag) => `flag:${flag}`),
      ...lookedFields.filter((name) => !(name in (record.fields ?? {}))).map((name) => `field:${name}`),
    ];
  });
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

/** A visit to each version on which there are facts in question; most facts first. */
function visitsFor(
  records: readonly VersionRecord[],
  inQuestion: (record: VersionRecord) => readonly string[],
): readonly Visit[] {
  return records
    .map((record) => ({ version: record.version, facts: new Set(inQuestion(record)) }))
    .filter(({ facts }) => facts.size > 0)
    .toSorted((one, other) => other.facts.size - one.facts.size);
}
