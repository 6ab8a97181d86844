// Remembers what something was built from, so that a build without changes costs nothing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.cache/built';

/** Whether all inputs are unchanged since the last build, and all outputs still exist. */
export function isFresh(name, always) {
  const path = join(FOLDER, `${name}.json`);
  if (!existsSync(path)) return false;
  const { inputs, hash, outputs } = JSON.parse(readFileSync(path, 'utf8'));
  return outputs.every((file) => existsSync(file)) && hashOf([...always, ...inputs]) === hash;
}

/** Records a build: `always` are files and folders, `inputs` the modules that went into it. */
export function writeStamp(name, { always, inputs, outputs }) {
  mkdirSync(FOLDER, { recursive: true });
  const stamp = { inputs, outputs, hash: hashOf([...always, ...inputs]) };
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(stamp)}\n`);
}

/** All built files, as paths. */
export function builtOutputs() {
  return readdirSync(FOLDER).flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')).outputs);
}

/** The hash of files and folders: their paths and contents. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesIn)) {
    hash.update(`${file.replaceAll('\\', '/')}\n`);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** A file, or all files in a folder, sorted. */
export function filesIn(path) {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true }).toSorted();
  return names.map((name) => join(path, name)).filter((file) => statSync(file).isFile());
}
