// Entry points: package.json, api/entry-points.json and src agree, and each entry point loads only what it declares.
import { existsSync } from 'node:fs';
import { builtName } from '../bundle/entry-points.mjs';
import { readLayers } from '../layers.cjs';
import { runQuietly } from '../run.mjs';

const PRINT_LOADS = 'scripts/lib/package/print-loads.mjs';

/** Problems in the set of entry points, as sentences. */
export function entryPointProblems(manifest, entryPoints) {
  const exported = manifest.exports;
  const sources = Object.values(entryPoints).map(({ source }) => source);
  const indexes = readLayers().map(({ path }) => `src/${path}/index.ts`);
  return [
    ...Object.keys(exported)
      .filter((entryPoint) => !entryPoint.endsWith('.json') && !(entryPoint in entryPoints))
      .map((entryPoint) => `${entryPoint} is in package.json, but not in api/entry-points.json`),
    ...Object.keys(entryPoints)
      .filter((entryPoint) => exported[entryPoint] !== builtFile(entryPoint))
      .map((entryPoint) => `package.json should export ${entryPoint} as ${builtFile(entryPoint)}`),
    ...sources
      .filter((path) => !existsSync(path))
      .map((path) => `${path} is an entry point, but does not exist`),
    ...indexes
      .filter((path) => existsSync(path) && !sources.includes(path))
      .map((path) => `${path} exists, but is not an entry point: only entry points are called index.ts`),
  ];
}

/** Problems in what each entry point loads immediately, as sentences. */
export async function loadProblems(name, entryPoints) {
  const checks = Object.entries(entryPoints).map(async ([entryPoint, declared]) => {
    const { code, output } = await runQuietly([
      entryPoint,
      process.execPath,
      // Node 26 deprecates `register`, and would say so between the lines.
      ['--no-deprecation', PRINT_LOADS, entryPoint.replace(/^\./, name)],
    ]);
    if (code !== 0) return [`${entryPoint} cannot be imported:\n${output}`];
    return compare(entryPoint, declared, loadsOf(output));
  });
  return (await Promise.all(checks)).flat();
}

/** The dist file of an entry point. */
function builtFile(entryPoint) {
  return `./dist/${builtName(entryPoint)}.js`;
}

function loadsOf(output) {
  const loads = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const npm = loads.map(({ url }) => packageOf(url)).filter((name) => name !== undefined);
  // These are the imports of our own files; a package's own imports do not count.
  const builtins = loads.filter(({ url, by }) => url.startsWith('node:') && by.includes('/dist/'));
  return { npm: [...new Set(npm)].sort(), node: [...new Set(builtins.map(({ url }) => url))] };
}

function packageOf(url) {
  return /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
}

function compare(entryPoint, declared, loaded) {
  const extra = loaded.npm.filter((name) => !declared.npm.includes(name));
  const stale = declared.npm.filter((name) => !loaded.npm.includes(name));
  return [
    ...extra.map(
      (name) =>
        `importing ${entryPoint} loads the package ${name}, which api/entry-points.json does not allow`,
    ),
    ...stale.map(
      (name) => `importing ${entryPoint} no longer loads ${name}: take it out of api/entry-points.json`,
    ),
    ...(declared.node ? [] : loaded.node).map(
      (name) => `${entryPoint} should run anywhere, but imports ${name}`,
    ),
  ];
}
