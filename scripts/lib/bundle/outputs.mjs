// The contents of dist: changed files are replaced atomically, and files that no build made are removed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = 'dist';

/** Writes the bundler's output; returns the paths. A running program keeps the file that it started with. */
export function writeOutputs(output) {
  return output.map(({ fileName, code, source }) => {
    const path = join(FOLDER, fileName);
    const text = code ?? source;
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) replace(path, text);
    return path;
  });
}

/** Removes files that none of the builds made. */
export function removeLeftovers(outputs) {
  const known = new Set(outputs);
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  for (const { parentPath, name } of files) {
    if (!known.has(join(parentPath, name))) rmSync(join(parentPath, name));
  }
}

function replace(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
