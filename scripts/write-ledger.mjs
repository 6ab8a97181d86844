// Writes src/host/cli/ledger/ledger.json: what every published CLI does, found by probing real ones, offline.
//   npm run ledger                 writes it from the cache
//   npm run ledger -- --new        examines newly published CLIs, what changed three times, and says what it was
//   npm run ledger -- --added      probes new requirements on the versions that were probed before
//   npm run ledger -- --all        probes a spread of all versions, then locates each change exactly
// `--gap <count>` limits how many versions in a row the spread skips (8).
// `--again 2.0.77,2.1.8` probes these in full again, whatever is known about them.
// `--only request,flag` searches only for changes of facts whose ids begin with these words.
// Can be stopped and resumed: results are kept in a cache (`--cache <folder>`), CLIs are deleted after use.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { namedFields } from '../src/host/cli/initialize-fields.ts';
import { changesOf } from '../src/host/cli/ledger/facts.ts';
import { compact, ledgerText } from '../src/lab/conformance/ledger/compact.ts';
import { newsParagraph } from '../src/lab/conformance/ledger/news.ts';
import {
  boundaryVisits,
  changedVisits,
  doubtfulVisits,
  requirementsFor,
  spread,
  untriedVisits,
} from '../src/lab/conformance/ledger/plan.ts';
import { timelinesOf } from '../src/lab/conformance/ledger/timelines.ts';
import { isFullyProbed, settle } from '../src/lab/conformance/ledger/version-record.ts';
import { requirementIds } from '../src/lab/conformance/requirements/requirements.ts';
import { defaultCache, installCli, publishedVersions, removeCli } from './lib/ledger/cli-cache.mjs';
import { decisionsText } from './lib/ledger/decisions.mjs';
import { triedFlags } from './lib/ledger/tried-flags.mjs';
import { readVersion, readVersions } from './lib/ledger/version-store.mjs';
import { visit } from './lib/ledger/visit.mjs';

const LEDGER = 'src/host/cli/ledger/ledger.json';
const DECISIONS = 'src/host/cli/ledger/decisions.ts';
/** Each round halves the gaps; a gap of the spread needs three, unstable verdicts a few more. */
const MOST_ROUNDS = 16;
/** This many facts in question need nearly every probe, so a version gets all of them. */
const MANY = 200;

const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    new: { type: 'boolean', default: false },
    added: { type: 'boolean', default: false },
    cache: { type: 'string', default: defaultCache() },
    again: { type: 'string' },
    gap: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
});
const { cache } = options;
const written = existsSync(LEDGER) ? JSON.parse(readFileSync(LEDGER, 'utf8')) : undefined;
// A version that is listed without a look would not be new any more.
const published = options.added && !options.new ? written.published : await publishedVersions();
// New versions and requirements are added to the existing ledger; everything else is built from the cache alone.
const before = options.new || options.added ? written : undefined;
const fresh = published.filter((version) => !written?.published.includes(version));
const isKnownAtFirst = (id) => changesOf(written, id)[0]?.from === written.published[0];
const added = options.added ? requirementIds.filter((id) => !isKnownAtFirst(id)) : [];

if (options.again !== undefined) await probeInFull(options.again.split(','));
if (options.all) await probeAll();
if (options.new) await probeNew();
if (added.length > 0) await probeAdded();
const ledger = compact(await readVersions(cache), published, before);
writeFileSync(LEDGER, ledgerText(ledger));
writeFileSync(DECISIONS, decisionsText(ledger));
console.log(
  `${LEDGER}: ${Object.keys(ledger.facts).length} facts, ${ledger.probed.length} versions probed in full, ${ledger.looked.length} in part`,
);
if (options.new) console.log(`\n${await news()}`);

async function probeAll() {
  await probeInFull(spread(published, await fullyProbed(), Number(options.gap)));
  await settleChanges(published);
}

async function probeNew() {
  const probed = await fullyProbed();
  await probeInFull(fresh.slice(-1).filter((version) => !probed.has(version)));
  await settleChanges(fresh);
}

async function probeAdded() {
  const records = new Map((await readVersions(cache)).map((record) => [record.version, record]));
  const isKnown = (version) =>
    added.every((id) => records.get(version)?.runs.some(({ verdicts }) => id in verdicts));
  const open = written.probed.filter((version) => !isKnown(version));
  await visitEach(open.map((version) => ({ version, facts: new Set(added) })));
  await settleChanges(published);
}

async function fullyProbed() {
  return new Set((await readVersions(cache)).filter(isFullyProbed).map(({ version }) => version));
}

function probeInFull(versions) {
  return visitEach(versions.map((version) => ({ version, facts: undefined })));
}

/** Examines versions until the position of each change is known, as far as verdicts are stable. */
async function settleChanges(versions) {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const records = await readVersions(cache);
    const timelines = new Map([...timelinesOf(records, before)].filter(([id]) => isWanted(id)));
    const [why, visits] = nextVisits(records, timelines, versions);
    if (visits.length === 0) return;
    console.log(`round ${round}: ${visits.length} versions ${why}`);
    await visitEach(
      visits.map(({ version, facts }) => ({ version, facts: isMany(facts) ? undefined : facts })),
    );
  }
}

/** What to examine next, and why. */
function nextVisits(records, timelines, versions) {
  const untried = among(versions, untriedVisits(records, Object.keys(triedFlags), namedFields));
  if (untried.length > 0) return ['for what is new', untried];
  const doubtful = among(versions, doubtfulVisits(records, timelines));
  if (doubtful.length > 0) return ['once more', doubtful];
  const changed = options.new ? among(fresh, changedVisits(records, timelines)) : [];
  if (changed.length > 0) return ['once more, because something changed', changed];
  return ['between others', among(versions, boundaryVisits(timelines, published))];
}

/** The visits to some versions, for the wanted facts. */
function among(versions, visits) {
  return visits
    .filter(({ version }) => versions.includes(version))
    .map(({ version, facts }) => ({ version, facts: new Set([...facts].filter(isWanted)) }))
    .filter(({ facts }) => facts.size > 0);
}

/** Whether the positions of its changes are searched for. */
function isWanted(id) {
  if (options.added && !added.includes(id)) return false;
  return options.only.split(',').some((start) => id.startsWith(start));
}

function isMany(facts) {
  return requirementsFor(facts).size >= MANY;
}

/** One CLI at a time; the next one is downloaded meanwhile. */
async function visitEach(visits) {
  const fetch = (visiting) => {
    const path = visiting && installCli(cache, visiting.version);
    path?.catch(() => {});
    return path;
  };
  let next = fetch(visits[0]);
  for (const [at, { version, facts }] of visits.entries()) {
    const path = next;
    const started = performance.now();
    try {
      const found = await path;
      next = fetch(visits[at + 1]);
      await visit(cache, { version, path: found, facts });
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      console.log(`${at + 1}/${visits.length} ${version}: ${facts?.size ?? 'all'} facts in ${seconds} s`);
    } catch (error) {
      console.error(`${at + 1}/${visits.length} ${version} could not be examined: ${error.message}`);
      if (next === path) next = fetch(visits[at + 1]);
    } finally {
      await removeCli(cache, version);
    }
  }
}

async function news() {
  const last = written?.published.at(-1);
  const newest = fresh.at(-1);
  if (newest === undefined) return `Nothing was published since ${last}.`;
  const record = await readVersion(cache, newest);
  return newsParagraph(ledger, [last, newest], (id) =>
    record === undefined ? '' : settle(record, id).detail,
  );
}
