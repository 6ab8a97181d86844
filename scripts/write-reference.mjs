// Writes the pages and tables that are made from the code, so that they cannot tell another story.
// Needs a built dist. `--check` only says whether they are in step.
import { readFileSync } from 'node:fs';
import { betweenMarks, settle } from './lib/generated.mjs';
import { doorsTable, errorsPage, layersTable } from './lib/reference-tables.mjs';

const page = (path, mark, content) => [path, betweenMarks(readFileSync(path, 'utf8'), mark, content)];
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const built = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);

const { errorCodes } = await built('util/error-codes.js');

const files = [
  page('README.md', 'doors', doorsTable(json('api/doors.json'))),
  page('ARCHITECTURE.md', 'layers', layersTable(json('architecture.json'))),
  ['docs/reference/errors.md', errorsPage(errorCodes)],
];

process.exitCode = settle(files, {
  check: process.argv.includes('--check'),
  remedy: 'npm run build && node scripts/write-reference.mjs',
});
