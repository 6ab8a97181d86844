// Builds dist with the compiler and the pages with Vite, and takes away what sources that are gone left there: it would
// be published.
import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { readLayers } from './lib/layers.cjs';
import { buildPages } from './lib/pages/build-pages.mjs';
import { run } from './lib/run.mjs';

const EMULATOR_PROGRAMS = 'dist/lab/testing/emulator/program';
/** Data that is read beside the code. */
const LEDGER = 'host/cli/ledger/ledger.json';
const OUTPUT = /\.(?:js|d\.ts)(?:\.map)?$/;
/** What Vite wrote, which has no source of the same name. */
const PAGES = /^public(?:[\\/]|$)/;

const code = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-b']);
if (code === 0) {
  removeLeftovers(readLayers().map(({ path }) => path));
  makeExecutable();
  copyFileSync(`src/${LEDGER}`, `dist/${LEDGER}`);
  await buildPages();
}
process.exitCode = code;

function removeLeftovers(layers) {
  const floors = new Set(layers.map((layer) => layer.split('/')[0]));
  for (const floor of readdirSync('dist')) {
    if (!floors.has(floor)) rmSync(`dist/${floor}`, { recursive: true });
  }
  for (const layer of layers) {
    const files = readdirSync(`dist/${layer}`, { recursive: true }).filter(
      (file) => OUTPUT.test(file) && !PAGES.test(file),
    );
    const gone = files.filter((file) => !existsSync(`src/${layer}/${file.replace(OUTPUT, '.ts')}`));
    for (const file of gone) rmSync(`dist/${layer}/${file}`);
  }
}

/** Some SDKs start the path of their CLI themselves, without Node. */
function makeExecutable() {
  for (const name of readdirSync(EMULATOR_PROGRAMS)) {
    if (/^(?:main|claude-[\d-]+)\.js$/.test(name)) chmodSync(`${EMULATOR_PROGRAMS}/${name}`, 0o755);
  }
}
