import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Ignore files, and folders that are never interesting. */
const IGNORE_FILES = ['.gitignore', '.ignore'];
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);
/** The largest ignore file to read. */
const LONGEST = 256 * 1024;

/**
 * Ignore files may come from anyone, and their patterns become regular expressions, which can take hours for a deep
 * folder: patterns with many wildcards do not apply, and neither depth nor time is without limit.
 */
const MOST_PATTERNS = 2_000;
const MOST_DEEP = 3;
const MOST_STARS = 3;
const DEEPEST = 40;
const TIME_MS = 3_000;

/** An ignore file applies from its own folder down. */
interface Rules {
  readonly from: string;
  readonly rules: Ignore;
}

interface WalkedFolder {
  /** Relative to the folder, with a trailing slash; empty for the folder itself. */
  readonly path: string;
  readonly rules: readonly Rules[];
}

/** The files in a folder without git, nearest first, without ignored ones. Links are not followed. */
export async function walkFiles(
  folder: string,
  most: number,
  now: () => number = Date.now,
): Promise<readonly string[]> {
  const found: string[] = [];
  const places: WalkedFolder[] = [{ path: '', rules: [] }];
  const until = now() + TIME_MS;
  const isLate = () => now() > until;
  for (let place = places.shift(); place !== undefined && found.length < most; place = places.shift()) {
    if (isLate()) break;
    const { files, folders } = await look(folder, place, isLate);
    for (const file of files) found.push(file);
    if (place.path.split('/').length <= DEEPEST) places.push(...folders);
  }
  return found.slice(0, most);
}

async function look(folder: string, { path, rules: before }: WalkedFolder, isLate: () => boolean) {
  const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
  const rules = [...before, ...(await rulesIn(folder, path, entries))];
  const named = entries
    .map((entry) => ({ entry, name: `${path}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
    .filter(({ entry, name }) => !NEVER.has(entry.name) && !isLate() && !isIgnored(name, rules));
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
  const lines = texts.join('\n').slice(0, LONGEST).split('\n');
  const patterns = lines.filter((line) => line.trim() !== '' && isSimple(line)).slice(0, MOST_PATTERNS);
  return patterns.length === 0 ? [] : [{ from: path, rules: ignore().add(patterns.join('\n')) }];
}

function isSimple(pattern: string): boolean {
  const parts = pattern.split('/');
  const deep = parts.filter((part) => part.includes('**')).length;
  return deep <= MOST_DEEP && parts.every((part) => (part.match(/\*+/g)?.length ?? 0) <= MOST_STARS);
}

/** The rules of the nearest folder with a match win, as in git. */
function isIgnored(name: string, all: readonly Rules[]): boolean {
  for (const { from, rules } of all.toReversed()) {
    const { ignored, unignored } = rules.test(name.slice(from.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
