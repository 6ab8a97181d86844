// docs/reference/patches.json: what each patch did on each JavaScript CLI, and which sources of the patches that was.
import { readFileSync, writeFileSync } from 'node:fs';
import { compareVersions } from '../../src/wire/util/versions.ts';
import { filesIn, hashOf } from './stamp.mjs';

const RECORD = 'docs/reference/patches.json';
/** What decides what a patched copy contains. */
const SOURCES = 'src/host/patches';

/** By version: the hash of the sources that ran, and a cell for each patch. */
export function readPatchRecord() {
  return JSON.parse(readFileSync(RECORD, 'utf8'));
}

/** Replaces the row of a version. The record is read again, since several runs may write it. */
export function writePatchRow(version, row) {
  const rows = Object.entries({ ...readPatchRecord(), [version]: row });
  const lines = rows
    .sort(([a], [b]) => compareVersions(a, b))
    .map(([each, found]) => `  "${each}": ${JSON.stringify(found)}`);
  writeFileSync(RECORD, `{\n${lines.join(',\n')}\n}\n`);
}

/** The hash of the patches as they are now. */
export function patchSources() {
  return hashOf(filesIn(SOURCES).filter((file) => file.endsWith('.ts'))).slice(0, 16);
}
