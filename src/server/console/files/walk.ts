import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Ignore files, and folders that are never interesting. */
const IGNORE_FILES = ['.gitignore', '.ignore'];
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);
/** The largest ignore file to read. */
const LONGEST = 256 * 1024;

/** An ignore file applies from its own folder down. */
interface Rules {
  readonly from: string;
  readonly rules: Ignore;
}

interface Place {
  /** Relative to the folder, with a trailing slash; empty for the folder itself. */
  readonly path: string;
  readonly rules: readonly Rules[];
}

/** The files in a folder without git, nearest first, without ignored ones. Links are not followed. */
export async function walkFiles(folder: string, most: number): Promise<readonly string[]> {
  const found: string[] = [];
  const places: Place[] = [{ path: '', rules: [] }];
  for (let place = places.shift(); place !== undefined && found.length < most; place = places.shift()) {
    const { files, folders } = await look(folder, place);
    for (const file of files) found.push(file);
    places.push(...folders);
  }
  return found.slice(0, most);
}

async function look(folder: string, { path, rules: before }: Place) {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
  const rules = [...before, ...(await rulesIn(folder, path, entries))];
  const named = entries
    .map((entry) => ({ entry, name: `${path}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
    .filter(({ entry, name }) => !NEVER.has(entry.name) && !isIgnored(name, rules));
  return {
    files: named.filter(({ entry }) => entry.isFile()).map(({ name }) => name),
    folders: named.filter(({ entry }) => entry.isDirectory()).map(({ name }) => ({ path: name, rules })),
  };
}

async function rulesIn(
  folder: string,
  path: string,
  entries: readonly { readonly name: string; isFile(): boolean }[],
): Promise<readonly Rules[]> {
  const names = entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name));
  const texts = await Promise.all(
    names.map(({ name }) => readFile(join(folder, path, name), 'utf8').catch(() => '')),
  );
  const text = texts.join('\n').slice(0, LONGEST);
  return text.trim() === '' ? [] : [{ from: path, rules: ignore().add(text) }];
}

/** The rules of the nearest folder with a match win, as in git. */
function isIgnored(name: string, all: readonly Rules[]): boolean {
  for (const { from, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(name.slice(from.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
