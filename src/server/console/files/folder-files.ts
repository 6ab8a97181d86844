import type { FilesView } from '../../../entry/remote/contract.js';
import { namesIn } from '../../manager/workspaces/git.js';
import { readGit } from './git.js';
import { walkFiles } from './walk.js';

/** How many files of a folder are read, and how many are returned by default. */
const LOOKED_AT = 50_000;
const GIVEN = 50;
/** A list expires after this long: someone who types asks again with each letter. */
const FRESH_MS = 5_000;
const KEPT = 20;

interface Listing {
  readonly at: number;
  readonly names: Promise<readonly string[]>;
}

/** Finds files by parts of their names, and respects ignore files. */
export class FolderFiles {
  readonly #now: () => number;
  readonly #lists = new Map<string, Listing>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The best matches among the files and folders of a folder, as paths in it. The folder is a real path. */
  async find(folder: string, search: string, limit = GIVEN): Promise<FilesView> {
    const names = await this.#list(folder);
    return { files: bestMatches(names, search, limit), cut: names.length >= LOOKED_AT };
  }

  #list(folder: string): Promise<readonly string[]> {
    const known = this.#lists.get(folder);
    const now = this.#now();
    if (known !== undefined && now - known.at < FRESH_MS) return known.names;
    const names = listFiles(folder).then(withFolders);
    this.#lists.delete(folder);
    this.#lists.set(folder, { at: now, names });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > KEPT && oldest !== undefined) this.#lists.delete(oldest);
    return names;
  }
}

/** git knows what is ignored; a folder that git itself ignores is walked without it. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const output = await readGit(folder, args);
  const names = output === undefined ? [] : namesIn(output.text);
  return names.length === 0 ? walkFiles(folder, LOOKED_AT) : names.slice(0, LOOKED_AT);
}

function withFolders(names: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const name of names)
    for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1))
      folders.add(name.slice(0, end + 1));
  return [...folders, ...names].slice(0, LOOKED_AT);
}

/** The best matches for a search: by last path segment, then by any segment, then by letters in order. */
function bestMatches(names: readonly string[], search: string, limit: number): readonly string[] {
  const wanted = search.toLowerCase();
  const fits = names.flatMap((name) => {
    const rank = rankOf(name.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ name, rank }];
  });
  fits.sort(
    (one, other) =>
      one.rank - other.rank ||
      depth(one.name) - depth(other.name) ||
      one.name.length - other.name.length ||
      (one.name < other.name ? -1 : 1),
  );
  return fits.slice(0, limit).map(({ name }) => name);
}

function rankOf(name: string, wanted: string): number | undefined {
  if (wanted === '' || name === wanted) return 0;
  const last = name.slice(name.lastIndexOf('/', name.length - 2) + 1);
  if (last.startsWith(wanted)) return 1;
  if (name.startsWith(wanted)) return 2;
  if (last.includes(wanted)) return 3;
  if (name.includes(wanted)) return 4;
  return hasInOrder(name, wanted) ? 5 : undefined;
}

function hasInOrder(name: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function depth(name: string): number {
  return name.split('/').length;
}
