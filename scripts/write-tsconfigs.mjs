// Writes tsconfig.json, src/<layer>/tsconfig.json and test/tsconfig.json from architecture.json, so that the
// compiler itself refuses an import the table does not allow. `--check` only says whether they are in step.
import { readdirSync, readFileSync } from 'node:fs';
import { settle } from './lib/generated.mjs';

const layers = JSON.parse(readFileSync('architecture.json', 'utf8'));

const rootConfig = { files: [], references: Object.keys(layers).map((layer) => ({ path: `src/${layer}` })) };

const layerConfig = (layer, { may, pure }) => ({
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    rootDir: '.',
    outDir: `../../dist/${layer}`,
    tsBuildInfoFile: `../../dist/${layer}/.tsbuildinfo`,
    ...(pure ? {} : { types: ['node'] }),
  },
  include: ['**/*.ts'],
  references: may.map((other) => ({ path: `../${other}` })),
});

// Tests read the declarations that were built, so that checking them does not check src once more.
const testConfig = {
  extends: '../tsconfig.base.json',
  compilerOptions: {
    // Tests of the pages run code in a browser.
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    composite: false,
    incremental: true,
    tsBuildInfoFile: '../.cache/test.tsbuildinfo',
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    noEmit: true,
    rootDir: '..',
  },
  include: ['**/*.ts', '../vitest.config.ts'],
  references: Object.keys(layers).map((layer) => ({ path: `../src/${layer}` })),
};

const files = [
  ['tsconfig.json', rootConfig],
  ['test/tsconfig.json', testConfig],
  ...Object.entries(layers).map(([layer, entry]) => [
    `src/${layer}/tsconfig.json`,
    layerConfig(layer, entry),
  ]),
].map(([path, config]) => [path, `${JSON.stringify(config, null, 2)}\n`]);

const settled = settle(files, {
  check: process.argv.includes('--check'),
  remedy: 'node scripts/write-tsconfigs.mjs',
});
const strays = readdirSync('src').filter((folder) => !(folder in layers));
for (const folder of strays)
  console.error(`src/${folder} is not in architecture.json: no rule would cover it`);
process.exitCode = strays.length > 0 ? 1 : settled;
