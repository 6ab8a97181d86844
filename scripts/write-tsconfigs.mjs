// Writes tsconfig.json and src/<layer>/tsconfig.json from architecture.json, so that the compiler
// itself refuses an import the table does not allow. `--check` only says whether they are in step.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const layers = JSON.parse(readFileSync('architecture.json', 'utf8'));

const layerConfig = ({ may, pure }) => ({
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    rootDir: '.',
    outDir: 'OUT',
    tsBuildInfoFile: 'OUT/.tsbuildinfo',
    ...(pure ? {} : { types: ['node'] }),
  },
  include: ['**/*.ts'],
  references: may.map((other) => ({ path: `../${other}` })),
});

const files = new Map([
  [
    'tsconfig.json',
    { files: [], references: Object.keys(layers).map((layer) => ({ path: `src/${layer}` })) },
  ],
  ...Object.entries(layers).map(([layer, entry]) => [
    `src/${layer}/tsconfig.json`,
    JSON.parse(JSON.stringify(layerConfig(entry)).replaceAll('OUT', `../../dist/${layer}`)),
  ]),
]);

let outOfStep = 0;
for (const [path, config] of files) {
  const text = `${JSON.stringify(config, null, 2)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    outOfStep += 1;
    console.error(`${path} is not what architecture.json says: run node scripts/write-tsconfigs.mjs`);
  } else {
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  }
}
process.exitCode = outOfStep === 0 ? 0 : 1;
