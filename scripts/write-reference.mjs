// Writes the pages and tables that are made from the code, so that they cannot tell another story.
// Needs a built dist. `--check` only says whether they are in step.
import { readFileSync } from 'node:fs';
import { notOffered, ownOptions } from '../dist/entry/compat/offered.js';
import { remoteOptionSpecs } from '../dist/entry/sdk/remote-session.js';
import { capabilitiesOf } from '../dist/host/cli/capabilities.js';
import { spanOfFlag } from '../dist/host/cli/known-facts.js';
import { cliOptionSpecs } from '../dist/host/cli/options/cli-option-table.js';
import { sessionSteps } from '../dist/host/core/connection/state.js';
import { builtinPatches } from '../dist/host/patches/registry.js';
import * as endpoints from '../dist/host/session/endpoints/endpoint-table.js';
import { sessionOptionSpecs } from '../dist/host/session/session-option-table.js';
import { acceptedDifferences } from '../dist/lab/conformance/accepted-differences.js';
import { requirements } from '../dist/lab/conformance/requirements/requirements.js';
import { shapeDifferences } from '../dist/lab/conformance/shape.js';
import * as catalog from '../dist/wire/protocol/catalog/catalog.js';
import { probedVersions } from '../dist/wire/protocol/catalog/entries.js';
import { errorCodes } from '../dist/wire/util/error-codes.js';
import { faults } from '../test/faults/table.mjs';
import { benchmarkFiles, comparison } from './lib/benchmarks-page.mjs';
import { compatPage } from './lib/compat-page.mjs';
import { conformancePage } from './lib/conformance-page.mjs';
import { readRecords } from './lib/conformance-records.mjs';
import { controlsPage } from './lib/controls-page.mjs';
import { exportsOf, membersOf } from './lib/declarations.mjs';
import { endpointsPage } from './lib/endpoints-page.mjs';
import { faultsPage } from './lib/faults-page.mjs';
import { betweenMarks, settle } from './lib/generated.mjs';
import { readFloors, readLayers } from './lib/layers.cjs';
import { decisionsText } from './lib/ledger/decisions.mjs';
import { keptSurface } from './lib/official-surface.mjs';
import { optionsPage } from './lib/options-page.mjs';
import { doorsTable, errorsPage, layersTable, statesTable } from './lib/reference-tables.mjs';
import { versionsPage } from './lib/versions-page.mjs';
import { wirePage } from './lib/wire-page.mjs';
import { wireSchema } from './lib/wire-schema.mjs';

const check = process.argv.includes('--check');
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

const files = [
  marked('README.md', {
    doors: doorsTable(json('api/doors.json')),
    figures: comparison(json('bench/baseline.json'), ['coxswain', 'official']),
  }),
  marked('docs/how-to/move-from-the-official-sdk.md', {
    figures: comparison(json('bench/baseline.json'), ['compat', 'official']),
  }),
  marked('ARCHITECTURE.md', {
    layers: layersTable(readFloors(), readLayers()),
    states: statesTable(sessionSteps),
  }),
  ['src/host/cli/ledger/decisions.ts', decisionsText(json('src/host/cli/ledger/ledger.json'))],
  ['docs/reference/errors.md', errorsPage(errorCodes)],
  ['docs/reference/wire.md', wirePage(catalog, probedVersions)],
  ['docs/reference/controls.md', controlsPage(catalog.hostRequests, probedVersions)],
  ['docs/reference/endpoints.md', endpointsPage(endpoints, builtinPatches, capabilitiesOf)],
  ['docs/reference/faults.md', faultsPage(faults)],
  [
    'docs/reference/options.md',
    optionsPage(cliOptionSpecs, sessionOptionSpecs, remoteOptionSpecs, spanOfFlag),
  ],
  ['docs/reference/versions.md', versionsPage(json('src/host/cli/ledger/ledger.json'), requirements)],
  [
    'docs/reference/conformance.md',
    conformancePage({ requirements, acceptedDifferences, shapeDifferences }, readRecords(probedVersions)),
  ],
  [
    'docs/reference/compat.md',
    compatPage({
      surface: keptSurface({ renew: !check }),
      declared: declaredNames(),
      notOffered,
      ownOptions,
      differences: json('test/compat/accepted-differences.json'),
      typeDifferences: json('test/compat/accepted-type-differences.json'),
    }),
  ],
  ...benchmarkFiles(json('bench/baseline.json'), json('bench/profile.json')),
  ...probedVersions.map((version) => [
    `docs/reference/schema/${version}.json`,
    `${JSON.stringify(wireSchema(version), null, 1)}\n`,
  ]),
];

process.exitCode = settle(files, {
  check,
  remedy: 'npm run build && node scripts/write-reference.mjs',
});

/** What our door declares under official names. */
function declaredNames() {
  const exported = exportsOf('dist/entry/compat/index.d.ts');
  return {
    exports: new Set(exported.map(({ name }) => name)),
    options: new Set(membersOf(exported, 'Options')),
    methods: new Set(membersOf(exported, 'Query')),
  };
}

function marked(path, contents) {
  const before = readFileSync(path, 'utf8');
  const after = Object.entries(contents).reduce(
    (text, [mark, content]) => betweenMarks(text, mark, content),
    before,
  );
  return [path, after];
}
