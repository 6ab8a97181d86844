// Bundles src into dist: one file per entry point and program, chunks for shared code, declarations next to them.
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { isFresh, writeStamp } from '../stamp.mjs';
import { entryPoints, programs } from './entry-points.mjs';
import { writeOutputs } from './outputs.mjs';

const INPUTS = ['src', 'api/entry-points.json', 'package-lock.json', 'scripts/lib/bundle'];
const TARGET = 'node20.19';

/**
 * Code that nearly everything loads is in few files: pure code with the errors, pipes and processes. Schemas are separate,
 * because zod takes longer to load than everything else. The bundler divides other shared code by who loads it.
 */
const GROUPS = [
  {
    name: 'wire',
    test: /src\/(?:wire\/(?:util|protocol)\/(?!.*schemas?\.ts$)|.*-error\.ts$)|usingCtx/,
    priority: 3,
  },
  { name: 'schemas', test: /src\/wire\/protocol\/.*schemas?\.ts$/, priority: 2 },
  { name: 'peer', test: /src\/wire\/peer\//, priority: 1 },
  { name: 'process', test: /src\/(?:wire\/(?:transport|package)|host\/cli)\//, priority: 1 },
];

/** Bundles the code unless it is up to date. Types are not checked. */
export async function bundleCode() {
  if (isFresh('code', INPUTS)) return;
  const build = await rolldown({
    input: { ...entryPoints(), ...programs() },
    platform: 'node',
    external: isPackage,
    transform: { target: TARGET },
  });
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups: GROUPS },
    comments: false,
  });
  await build.close();
  const outputs = writeOutputs([...output, ...licences()]);
  for (const name of Object.keys(programs())) chmodSync(join('dist', `${name}.js`), 0o755);
  writeStamp('code', { always: INPUTS, inputs: [], outputs });
}

/** Bundles the compiler's declarations, with their comments, unless they are up to date. */
export async function bundleDeclarations() {
  if (isFresh('declarations', INPUTS)) return;
  const { dts } = await import('rolldown-plugin-dts');
  const { publicTypesOf, writePublicTypes } = await import('./public-types.mjs');
  writePublicTypes();
  const declared = Object.entries(entryPoints()).map(([name, source]) => [
    name,
    resolve(publicTypesOf(source)),
  ]);
  const build = await rolldown({
    input: Object.fromEntries(declared),
    platform: 'node',
    external: isPackage,
    plugins: [dts({ dtsInput: true, sourcemap: false })],
    checks: { bundlerTimings: false },
  });
  const { output } = await build.generate({
    entryFileNames: '[name].ts',
    chunkFileNames: 'chunks/[name].ts',
  });
  await build.close();
  writeStamp('declarations', { always: INPUTS, inputs: [], outputs: writeOutputs(output.map(mended)) });
}

/**
 * An optional package may be missing where the declarations are read: its types are then `any`, which is not an error. The
 * bundler puts the comment of a member after the previous member, where editors do not look for it. And chunks with
 * namespaces pass on a helper that declarations do not have.
 */
function mended(file) {
  if (file.type !== 'chunk') return file;
  const code = file.code
    .replaceAll(/(?<=[{,] )(?:__exportAll as \w+|\w+ as __exportAll), /g, '')
    .replaceAll(/^import .*from "@anthropic-ai\/sdk.*$/gm, '// @ts-ignore\n$&')
    .replaceAll(/^( +)(\/\*\* .*? \*\/)(?=\S)/gm, '$1$2\n$1')
    .replaceAll(/^( +)(.*;) (\/\*\* .* \*\/)$/gm, '$1$2\n$1$3');
  return { ...file, code };
}

/** Small packages that only one part of ours uses: they are bundled with their licence, so that users need not install them. */
const BUNDLED = ['croner', 'ignore', '@agentclientprotocol/sdk'];

/** Packages and Node's own modules stay external; the bundler's own helpers are included. */
function isPackage(id) {
  return !BUNDLED.includes(id) && !/^(?:[./\0]|[A-Za-z]:|@oxc-project\/runtime)/.test(id);
}

function licences() {
  return BUNDLED.map((name) => ({
    fileName: `licences/${name.replace('@', '').replace('/', '-')}.txt`,
    source: readFileSync(licenceOf(name), 'utf8'),
  }));
}

function licenceOf(name) {
  const folder = join('node_modules', name);
  return join(
    folder,
    readdirSync(folder).find((file) => file.startsWith('LICENSE')),
  );
}
