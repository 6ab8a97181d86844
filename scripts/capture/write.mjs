// Writes the corpus: one file per version, kind and case, and a manifest that seals them.
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { caseOf } from './cases.mjs';
import { trimFrame } from './trim.mjs';

const FOLDER = 'test/corpus';

/** Replaces the corpus with what was captured: `{ version: { captured, reactions } }`. */
export async function writeCorpus(byVersion) {
  await rm(FOLDER, { recursive: true, force: true });
  const versions = {};
  for (const [version, { captured, reactions }] of Object.entries(byVersion)) {
    const files = await writeFiles(version, pickFrames(captured));
    versions[version] = { reactions: sorted(reactions), files };
  }
  const manifest = { writtenBy: 'scripts/capture-corpus.mjs', versions };
  await writeFile(join(FOLDER, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return versions;
}

/** Of all frames of a case, the one with the most detail. */
function pickFrames(captured) {
  const picked = new Map();
  for (const entry of captured) {
    const path = `${caseOf(entry).join('/')}.json`;
    const frame = trimFrame(entry.frame);
    const keys = countKeys(frame);
    if (keys > (picked.get(path)?.keys ?? 0)) picked.set(path, { frame, keys });
  }
  return new Map([...picked].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function writeFiles(version, picked) {
  const files = {};
  for (const [path, { frame }] of picked) {
    const text = `${JSON.stringify(frame, undefined, 2)}\n`;
    const file = join(FOLDER, version, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    files[path] = createHash('sha256').update(text).digest('hex').slice(0, 16);
  }
  return files;
}

function countKeys(value) {
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce((sum, inner) => sum + 1 + countKeys(inner), 0);
}

function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
