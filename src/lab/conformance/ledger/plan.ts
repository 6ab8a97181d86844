import { isRequirementId, type RequirementId, requirementIds } from '../requirements/requirements.js';
import type { Sighting, Timelines } from './timelines.js';
import { isFullyProbed, settle, type VersionRecord } from './version-record.js';

/** A version to examine, and the facts in question there. */
export interface Visit {
  readonly version: string;
  readonly facts: ReadonlySet<string>;
}

/**
 * The versions to probe in full, so that never more than `gap` versions in a row are known only through their
 * neighbours.
 */
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
 * The versions to examine next, to locate each change; most facts first. Each change is searched near the middle of its
 * possible range, so many of them share a version.
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

/** A change with an unknown position, and the positions of the versions in the middle of its range. */
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

/** The position where most changes can be searched; among several, the one nearest to their middles. */
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
 * differs from one of them because something timed out.
 */
export function doubtfulVisits(records: readonly VersionRecord[], timelines: Timelines): readonly Visit[] {
  return visitsFor(records, (record) =>
    idsOf(record).filter((id) => isDoubtful(record, id, timelines.get(id) ?? [])),
  );
}

/** How many runs establish that a new version differs from the one before. */
const RUNS_OF_A_CHANGE = 3;

/** Requirements whose verdict differs from the version before, until enough runs have judged them. */
export function changedVisits(records: readonly VersionRecord[], timelines: Timelines): readonly Visit[] {
  return visitsFor(records, (record) =>
    idsOf(record).filter((id) => {
      const sightings = timelines.get(id) ?? [];
      const at = sightings.findIndex(({ version }) => version === record.version);
      const [before, now] = [sightings[at - 1], sightings[at]];
      const isChange = before !== undefined && now !== undefined && before.value !== now.value;
      return isChange && settle(record, id).runs < RUNS_OF_A_CHANGE;
    }),
  );
}

/**
 * The records without the verdicts that need another run, and without races that would be a change on one version
 * alone: there, the neighbours decide.
 */
export function withoutDoubtful(
  records: readonly VersionRecord[],
  timelines: Timelines,
): readonly VersionRecord[] {
  const doubtful = new Map(doubtfulVisits(records, timelines).map(({ version, facts }) => [version, facts]));
  return records.map((record) => {
    const left = (id: string) =>
      doubtful.get(record.version)?.has(id) !== true && !isOddRace(record, id, timelines.get(id) ?? []);
    const runs = record.runs.map((run) => ({
      ...run,
      verdicts: Object.fromEntries(Object.entries(run.verdicts).filter(([id]) => left(id))),
    }));
    return { ...record, runs };
  });
}

/** What a full run is too old for: new requirements, untried flags, fields not searched for. */
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

function isOddRace(record: VersionRecord, id: string, sightings: readonly Sighting[]): boolean {
  const at = sightings.findIndex(({ version }) => version === record.version);
  return settle(record, id).flickers && isOdd(sightings, at, false);
}

/** The requirements that probes must judge to establish these facts. */
export function requirementsFor(facts: ReadonlySet<string>): ReadonlySet<RequirementId> {
  return new Set([...facts].flatMap(neededFor).filter(isRequirementId));
}

function neededFor(id: string): readonly string[] {
  const [kind, name] = id.split(':');
  // Anything in `system/init` is visible in any turn, and a request that is not named is treated like all
  // unknown ones.
  if (kind === 'capability') return ['handshake:init-each-turn'];
  return kind === 'request' ? [`endpoint:${name}`, 'envelope:unknown-subtype'] : [id];
}

const SENT = new Set(['named', 'seen']);

function* changesIn(sightings: readonly Sighting[]): Iterable<readonly [Sighting, Sighting]> {
  for (const [at, after] of sightings.entries()) {
    const before = sightings[at - 1];
    if (before === undefined || before.value === after.value) continue;
    // Only a full run can show when something that is named was first seen.
    if (!SENT.has(before.value) || !SENT.has(after.value)) yield [before, after];
  }
}

/** What probes say after waiting in vain, which also happens on a busy machine. */
const WAITED = /^(?:what was waited for did not come|the handshake failed: no answer)/;

/** Whether a sighting differs from both neighbours although they agree or, if that is enough, from one of them. */
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

/** A visit to each version with facts in question; most facts first. */
function visitsFor(
  records: readonly VersionRecord[],
  inQuestion: (record: VersionRecord) => readonly string[],
): readonly Visit[] {
  return records
    .map((record) => ({ version: record.version, facts: new Set(inQuestion(record)) }))
    .filter(({ facts }) => facts.size > 0)
    .toSorted((one, other) => other.facts.size - one.facts.size);
}
