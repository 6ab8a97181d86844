// What is bundled: the entry points of api/doors.json, and the programs that others start by their path.
import { readdirSync, readFileSync } from 'node:fs';

const EMULATOR = 'src/lab/testing/emulator/program';

/** The entry points as api/doors.json declares them. */
export function readDoors() {
  return JSON.parse(readFileSync('api/doors.json', 'utf8'));
}

/** The name in dist of an entry point, without an ending. */
export function builtName(door) {
  return door === '.' ? 'index' : door.slice(2).replaceAll('/', '-');
}

/** Sources by their names in dist. */
export function entryPoints() {
  const doors = Object.entries(readDoors());
  return Object.fromEntries(doors.map(([door, { source }]) => [builtName(door), source]));
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
