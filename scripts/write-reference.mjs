// Writes the pages and tables that are made from the code, so that they cannot tell another story.
// Needs a built dist. `--check` only says whether they are in step.
import { existsSync, readFileSync } from 'node:fs';
import { betweenMarks, settle } from './lib/generated.mjs';
import { optionsPage } from './lib/options-page.mjs';
import { doorsTable, errorsPage, layersTable } from './lib/reference-tables.mjs';
import { wirePage } from './lib/wire-page.mjs';

const marked = (path, mark, content) => [path, betweenMarks(readFileSync(path, 'utf8'), mark, content)];
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

const { errorCodes } = await built('util/error-codes.js');

const files = [
  marked('README.md', 'doors', doorsTable(json('api/doors.json'))),
  marked('ARCHITECTURE.md', 'layers', layersTable(json('architecture.json'))),
  ['docs/reference/errors.md', errorsPage(errorCodes)],
  ...(await wireReference()),
  ...(await optionsReference()),
];

process.exitCode = settle(files, {
  check: process.argv.includes('--check'),
  remedy: 'npm run build && node scripts/write-reference.mjs',
});

async function wireReference() {
  if (!existsSync('src/protocol/catalog/catalog.ts')) return [];
  const { probedVersions } = await built('protocol/catalog/entries.js');
  return [['docs/reference/wire.md', wirePage(await built('protocol/catalog/catalog.js'), probedVersions)]];
}

async function optionsReference() {
  if (!existsSync('src/transport/subprocess/option-table.ts')) return [];
  const { cliOptionSpecs } = await built('transport/subprocess/option-table.js');
  const session = existsSync('src/session/option-table.ts') ? await built('session/option-table.js') : {};
  return [['docs/reference/options.md', optionsPage(cliOptionSpecs, session.sessionOptionSpecs ?? {})]];
}
