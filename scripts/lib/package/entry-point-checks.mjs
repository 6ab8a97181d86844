// Doors: package.json, api/doors.json and src say the same, and each door loads only what it declares.
import { existsSync } from 'node:fs';
import { builtName } from '../bundle/entry-points.mjs';
import { readLayers } from '../layers.cjs';
import { runQuietly } from '../run.mjs';

const PRINT_LOADS = 'scripts/lib/package/print-loads.mjs';

/** Problems in the set of doors, as sentences. */
export function doorProblems(manifest, doors) {
  const exported = manifest.exports;
  const sources = Object.values(doors).map(({ source }) => source);
  const indexes = readLayers().map(({ path }) => `src/${path}/index.ts`);
  return [
    ...Object.keys(exported)
      .filter((door) => !door.endsWith('.json') && !(door in doors))
      .map((door) => `${door} is in package.json, but not in api/doors.json`),
    ...Object.keys(doors)
      .filter((door) => exported[door] !== builtFile(door))
      .map((door) => `package.json should export ${door} as ${builtFile(door)}`),
    ...sources.filter((path) => !existsSync(path)).map((path) => `${path} is a door, but does not exist`),
    ...indexes
      .filter((path) => existsSync(path) && !sources.includes(path))
      .map((path) => `${path} exists, but is no door: only doors are called index.ts`),
  ];
}

/** Problems in what each door loads at once, as sentences. */
export async function loadProblems(name, doors) {
  const checks = Object.entries(doors).map(async ([door, declared]) => {
    const { code, output } = await runQuietly([
      door,
      process.execPath,
      [PRINT_LOADS, door.replace(/^\./, name)],
    ]);
    if (code !== 0) return [`${door} cannot be imported:\n${output}`];
    return compare(door, declared, loadsOf(output));
  });
  return (await Promise.all(checks)).flat();
}

/** The file of dist that an entry point becomes. */
function builtFile(door) {
  return `./dist/${builtName(door)}.js`;
}

function loadsOf(output) {
  const loads = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const npm = loads.map(({ url }) => packageOf(url)).filter((name) => name !== undefined);
  // What a package loads for itself is its own affair; these are the imports of our files.
  const builtins = loads.filter(({ url, by }) => url.startsWith('node:') && by.includes('/dist/'));
  return { npm: [...new Set(npm)].sort(), node: [...new Set(builtins.map(({ url }) => url))] };
}

function packageOf(url) {
  return /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
}

function compare(door, declared, loaded) {
  const extra = loaded.npm.filter((name) => !declared.npm.includes(name));
  const stale = declared.npm.filter((name) => !loaded.npm.includes(name));
  return [
    ...extra.map(
      (name) => `importing ${door} loads the package ${name}, which api/doors.json does not allow`,
    ),
    ...stale.map((name) => `importing ${door} no longer loads ${name}: take it out of api/doors.json`),
    ...(declared.node ? [] : loaded.node).map((name) => `${door} should run anywhere, but imports ${name}`),
  ];
}
