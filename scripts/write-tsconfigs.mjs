// Writes tsconfig.json, src/<layer>/tsconfig.json and test/tsconfig.json from architecture.json, so that the
// compiler itself refuses imports that the table does not allow. `--check` only reports whether they are up to date.
import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { settle } from './lib/generated.mjs';
import { floorProblems, readFloors, readLayers } from './lib/layers.cjs';

const layers = readLayers();
const pathOf = new Map(layers.map(({ name, path }) => [name, path]));

const rootConfig = { files: [], references: layers.map(({ path }) => ({ path: `src/${path}` })) };

const layerConfig = ({ path, may, pure }) => {
  const up = relative(`src/${path}`, '.');
  return {
    extends: `${up}/tsconfig.base.json`,
    compilerOptions: {
      rootDir: '.',
      outDir: `${up}/.cache/types/${path}`,
      tsBuildInfoFile: `${up}/.cache/types/${path}/.tsbuildinfo`,
      ...(pure ? {} : { types: ['node'] }),
    },
    include: ['**/*.ts'],
    references: may.map((other) => ({ path: relative(path, pathOf.get(other) ?? other) })),
  };
};

// Tests read the built declarations, so that checking them does not check src again.
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
    emitDeclarationOnly: false,
    noEmit: true,
    rootDir: '..',
  },
  include: ['**/*.ts', '../vitest.config.ts'],
  exclude: ['**/node_modules', 'types/programs', 'clients'],
  references: layers.map(({ path }) => ({ path: `../src/${path}` })),
};

const files = [
  ['tsconfig.json', rootConfig],
  ['test/tsconfig.json', testConfig],
  ...layers.map((layer) => [`src/${layer.path}/tsconfig.json`, layerConfig(layer)]),
].map(([path, config]) => [path, `${JSON.stringify(config, null, 2)}\n`]);

const settled = settle(files, {
  check: process.argv.includes('--check'),
  remedy: 'node scripts/write-tsconfigs.mjs',
});
const problems = [...strayFolders(), ...floorProblems()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : settled;

function strayFolders() {
  const paths = readFloors().flatMap(({ name, rooms }) => [name, ...rooms.map((room) => `${name}/${room}`)]);
  const floorsWithRooms = readFloors().filter(({ rooms }) => rooms.length > 0);
  const found = [
    ...readdirSync('src'),
    ...floorsWithRooms.flatMap(({ name }) => readdirSync(`src/${name}`).map((room) => `${name}/${room}`)),
  ];
  return found
    .filter((path) => !paths.includes(path))
    .map((path) => `src/${path} is not in architecture.json: no rule would cover it`);
}
