// All of dist but the declarations: what can run. Tests have it made before they start, without a look at the types.
import { readFileSync } from 'node:fs';
import { bundleCode } from './bundle/bundle.mjs';
import { writeOutputs } from './bundle/outputs.mjs';
import { buildPages } from './pages/build-pages.mjs';
import { run } from './run.mjs';
import { isFresh, writeStamp } from './stamp.mjs';

const SCHEMA_INPUTS = [
  'src/wire',
  'scripts/lib/wire-schema.mjs',
  'scripts/write-schemas.mjs',
  'package-lock.json',
];

const LEDGER = 'src/host/cli/ledger/ledger.json';

/** Makes what can run, where an input changed since the last time. */
export async function buildCode() {
  await bundleCode();
  await buildPages();
  copyLedger();
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
