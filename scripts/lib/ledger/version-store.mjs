// What was found on each version, one file each, in a cache outside the repository.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads the record of a version; undefined if there is none. */
export async function readVersion(cache, version) {
  const file = fileOf(cache, version);
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
}

/** Keeps the record of a version. */
export async function keepVersion(cache, record) {
  const file = fileOf(cache, record.version);
  await mkdir(join(cache, 'versions'), { recursive: true });
  await writeFile(`${file}.half`, `${JSON.stringify(record, null, 1)}\n`);
  await rename(`${file}.half`, file);
}

/** The records of all examined versions. */
export async function readVersions(cache) {
  const folder = join(cache, 'versions');
  const names = existsSync(folder) ? await readdir(folder) : [];
  const versions = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
  return Promise.all(versions.map((version) => readVersion(cache, version)));
}

function fileOf(cache, version) {
  return join(cache, 'versions', `${version}.json`);
}
