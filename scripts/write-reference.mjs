// Writes the pages and tables that are generated from the code, so that they cannot disagree with it.
// `npm run reference` writes them; `--check` only reports whether they are up to date.
import { readFileSync } from 'node:fs';
import { allCommands } from '../src/command/command-list.ts';
import { exitCodes } from '../src/command/exit-codes.ts';
import { HINTS } from '../src/command/explain-error.ts';
import { methodNotes, notOffered, offeredEntries, ownParams } from '../src/entry/compat/offered.ts';
import { remoteOptionSpecs } from '../src/entry/sdk/remote-session.ts';
import { capabilitiesOf } from '../src/host/cli/capabilities.ts';
import { spanOfFlag } from '../src/host/cli/known-facts.ts';
import { cliOptionSpecs } from '../src/host/cli/options/cli-option-table.ts';
import { sessionSteps } from '../src/host/core/connection/state.ts';
import { builtinPatches } from '../src/host/patches/registry.ts';
import * as endpoints from '../src/host/session/endpoints/endpoint-table.ts';
import { sessionOptionSpecs } from '../src/host/session/session-option-table.ts';
import { recordedVersions } from '../src/lab/conformance/recorded-versions.ts';
import { requirements } from '../src/lab/conformance/requirements/requirements.ts';
import { shapeDifferences } from '../src/lab/conformance/shape.ts';
import { openApiDocument } from '../src/server/console/api/openapi.schemas.ts';
import { routes } from '../src/server/console/api/routes.schemas.ts';
import { cliSteps } from '../src/server/conversation/states.ts';
import * as catalog from '../src/wire/protocol/catalog/catalog.ts';
import { diagnosticCodes } from '../src/wire/util/diagnostic-codes.ts';
import { errorCodes } from '../src/wire/util/error-codes.ts';
import { faults } from '../test/faults/table.mjs';
import { benchmarkFiles, comparison } from './lib/benchmarks-page.mjs';
import { commandLinePage } from './lib/command-line-page.mjs';
import { compatPage } from './lib/compat-page.mjs';
import { conformancePage } from './lib/conformance-page.mjs';
import { readRecords } from './lib/conformance-records.mjs';
import { controlsPage } from './lib/controls-page.mjs';
import { exportsOf, membersOf } from './lib/declarations.mjs';
import { endpointsPage } from './lib/endpoints-page.mjs';
import { examplesPage } from './lib/examples-page.mjs';
import { faultsPage } from './lib/faults-page.mjs';
import { betweenMarks, settle } from './lib/generated.mjs';
import { httpPage } from './lib/http-page.mjs';
import { readFloors, readLayers } from './lib/layers.cjs';
import { decisionsText } from './lib/ledger/decisions.mjs';
import { keptSurface, namesText } from './lib/official-surface.mjs';
import { optionsPage } from './lib/options-page.mjs';
import { patchSources, readPatchRecord } from './lib/patch-record.mjs';
import { patchesTable } from './lib/patches-page.mjs';
import {
  authorsPage,
  diagnosticsPage,
  entryPointsTable,
  errorsPage,
  layersTable,
  statesTable,
} from './lib/reference-tables.mjs';
import { readTimes, timesTables, withLimits } from './lib/test-times.mjs';
import { versionsFilter } from './lib/versions-filter/versions-filter.mjs';
import { versionsPage } from './lib/versions-page.mjs';
import { wirePage } from './lib/wire-page.mjs';

const check = process.argv.includes('--check');
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

const surface = keptSurface({ renew: !check });

const files = [
  marked('README.md', {
    'entry-points': entryPointsTable(json('api/entry-points.json')),
    figures: comparison(json('bench/baseline.json'), ['coxswain', 'official']),
  }),
  marked('docs/index.md', { 'entry-points': entryPointsTable(json('api/entry-points.json')) }),
  marked('docs/how-to/move-from-the-official-sdk.md', {
    figures: comparison(json('bench/baseline.json'), ['compat', 'official']),
  }),
  marked('docs/how-to/patch-an-old-cli.md', { patches: patchesTable(readPatchRecord(), patchSources()) }),
  [
    'examples/README.md',
    examplesPage('examples', json('api/entry-points.json'), json('package.json').dependencies),
  ],
  marked('CONTRIBUTING.md', { times: timesTables(readTimes()) }),
  ['.github/workflows/ci.yml', withLimits(readFileSync('.github/workflows/ci.yml', 'utf8'), readTimes())],
  marked('ARCHITECTURE.md', {
    layers: layersTable(readFloors(), readLayers()),
    states: statesTable(sessionSteps),
    'cli-states': statesTable(cliSteps),
  }),
  ['src/host/cli/ledger/decisions.ts', decisionsText(json('src/host/cli/ledger/ledger.json'))],
  ['src/entry/compat/official-names.ts', namesText(surface)],
  ['docs/reference/for-authors-of-tools.md', authorsPage(json('api/entry-points.json'))],
  ['docs/reference/errors.md', errorsPage(errorCodes, HINTS)],
  ['docs/reference/diagnostics.md', diagnosticsPage(diagnosticCodes)],
  ['docs/reference/command-line.md', await commandLinePage(allCommands, exitCodes)],
  ['docs/reference/wire.md', wirePage(catalog)],
  ['docs/reference/controls.md', controlsPage(catalog.hostRequests)],
  ['docs/reference/endpoints.md', endpointsPage(endpoints, builtinPatches, capabilitiesOf)],
  ['docs/reference/http-api.md', httpPage(routes, openApiDocument(routes, ''))],
  ['docs/reference/faults.md', faultsPage(faults)],
  [
    'docs/reference/options.md',
    optionsPage(cliOptionSpecs, sessionOptionSpecs, remoteOptionSpecs, spanOfFlag),
  ],
  ['docs/reference/versions.md', versionsPage(json('src/host/cli/ledger/ledger.json'), requirements)],
  ['docs/reference/versions.html', versionsFilter(json('src/host/cli/ledger/ledger.json'), requirements)],
  [
    'docs/reference/conformance.md',
    conformancePage({ requirements, shapeDifferences }, readRecords(recordedVersions)),
  ],
  [
    'docs/reference/compat.md',
    compatPage({
      surface,
      declared: declaredNames(),
      notOffered,
      offeredEntries,
      methodNotes,
      ownParams,
      differences: json('test/compat/accepted-differences.json'),
      typeDifferences: json('test/compat/accepted-type-differences.json'),
    }),
  ],
  ...benchmarkFiles(json('bench/baseline.json'), json('bench/profile.json')),
];

process.exitCode = settle(files, {
  check,
  remedy: 'npm run reference',
});

/** What our entry point declares under official names. */
function declaredNames() {
  const exported = exportsOf('src/entry/compat/index.ts');
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
