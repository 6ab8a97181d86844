// Everything in dist except the declarations. Tests build it before they start, without checking types.
import { readFileSync } from 'node:fs';
import { buildExamples } from './build-examples.mjs';
import { bundleCode } from './bundle/bundle.mjs';
import { writeOutputs } from './bundle/outputs.mjs';
import { buildPages } from './pages/build-pages.mjs';
import { run } from './run.mjs';
import { isFresh, writeStamp } from './stamp.mjs';

const LEDGER = 'src/host/cli/ledger/ledger.json';

const SCHEMA_INPUTS = [
  'src/wire',
  LEDGER,
  'scripts/lib/since.mjs',
  'scripts/lib/wire-schema.mjs',
  'scripts/write-schemas.mjs',
  'package-lock.json',
];

/** Builds the code if an input changed since the last time. */
export async function buildCode() {
  await bundleCode();
  await buildPages();
  copyLedger();
  buildExamples();
  await writeSchemas();
}

function copyLedger() {
  if (isFresh('ledger', [LEDGER])) return;
  const outputs = writeOutputs([{ fileName: 'ledger.json', source: readFileSync(LEDGER, 'utf8') }]);
  writeStamp('ledger', { always: [LEDGER], inputs: [], outputs });
}

async function writeSchemas() {
  if (isFresh('schemas', SCHEMA_INPUTS)) return;
  const args = ['--import', './scripts/lib/sources.mjs', 'scripts/write-schemas.mjs', ...SCHEMA_INPUTS];
  if ((await run(process.execPath, args)) !== 0) throw new Error('the JSON Schemas could not be written');
}
