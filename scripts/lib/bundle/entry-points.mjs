// What is bundled: the entry points of api/entry-points.json, and the programs that are started by their path.
import { readdirSync, readFileSync } from 'node:fs';

const EMULATOR = 'src/lab/testing/emulator/program';

/** The entry points as api/entry-points.json declares them. */
export function readEntryPoints() {
  return JSON.parse(readFileSync('api/entry-points.json', 'utf8'));
}

/** The name of an entry point in dist, without an extension. */
export function builtName(entryPoint) {
  return entryPoint === '.' ? 'index' : entryPoint.slice(2).replaceAll('/', '-');
}

/** Sources by their names in dist. */
export function entryPoints() {
  const entryPoints = Object.entries(readEntryPoints());
  return Object.fromEntries(entryPoints.map(([entryPoint, { source }]) => [builtName(entryPoint), source]));
}

/** Sources of programs by their names in dist. */
export function programs() {
  const emulators = readdirSync(EMULATOR).filter((name) => /^(?:main|claude-[\d-]+)\.ts$/.test(name));
  return {
    command: 'src/command/main.ts',
    ...Object.fromEntries(
      emulators.map((name) => [`emulator/${name.replace('.ts', '')}`, `${EMULATOR}/${name}`]),
    ),
  };
}
