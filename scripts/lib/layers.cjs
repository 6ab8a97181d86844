// The layers of architecture.json as one list. A floor without rooms is itself a layer.
const { readFileSync } = require('node:fs');

/** @returns {{ name: string, path: string, floor: string, is: string, may: string[], pure?: boolean, npm?: string[] }[]} */
function readLayers(file = 'architecture.json') {
  const floors = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(floors).flatMap(([floor, { rooms, ...itself }]) => {
    if (rooms === undefined) return [{ ...itself, name: floor, path: floor, floor }];
    return Object.entries(rooms).map(([name, room]) => ({ ...room, name, path: `${floor}/${name}`, floor }));
  });
}

/** The floors as written, with what each is and depends on. */
function readFloors(file = 'architecture.json') {
  return Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, { is, on, rooms }]) => ({
    name,
    is,
    on,
    rooms: Object.keys(rooms ?? {}),
  }));
}

/** Edges between layers that their floors do not allow, as sentences. */
function floorProblems(file = 'architecture.json') {
  const layers = readLayers(file);
  const paths = new Map(layers.map(({ name, path, floor }) => [name, [floor, path]]));
  const allowed = new Map(readFloors(file).map(({ name, on }) => [name, [name, ...on]]));
  return layers.flatMap(({ name, floor, may }) =>
    may
      .filter((other) => !paths.get(other)?.some((path) => allowed.get(floor)?.includes(path)))
      .map((other) => `${name} (${floor}) may not stand on ${other}: ${floor} does not stand on its floor`),
  );
}

module.exports = { readLayers, readFloors, floorProblems };
