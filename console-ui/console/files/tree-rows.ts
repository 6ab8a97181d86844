import type { FolderEntry, FolderView } from '../../../src/entry/remote/contract.js';

/** Listed folders by their path; the session's folder is ''. */
export type Folders = ReadonlyMap<string, FolderView>;

/** One visible row of the tree. */
export interface TreeRow {
  readonly path: string;
  readonly name: string;
  readonly kind: FolderEntry['kind'];
  /** From 1. */
  readonly level: number;
  /** For a folder: whether its contents are shown. */
  readonly isOpen: boolean | undefined;
}

/** The visible rows: those of open folders that are known. */
export function treeRows(
  folders: Folders,
  open: ReadonlySet<string>,
  { path = '', level = 1 }: { readonly path?: string; readonly level?: number } = {},
): readonly TreeRow[] {
  return (folders.get(path)?.entries ?? []).flatMap(({ name, kind }) => {
    const place = path === '' ? name : `${path}/${name}`;
    const isOpen = kind === 'folder' ? open.has(place) : undefined;
    const row = { path: place, name, kind, level, isOpen };
    return isOpen === true ? [row, ...treeRows(folders, open, { path: place, level: level + 1 })] : [row];
  });
}

/** What a key does in the tree: move to a row, or open, close or pick the current one. */
export interface TreeStep {
  readonly to?: string | undefined;
  readonly toggle?: string | undefined;
  readonly pick?: string | undefined;
}

/** The keys of a tree, as the ARIA practices define them; undefined for any other key. */
export function treeStep(
  rows: readonly TreeRow[],
  current: string | undefined,
  key: string,
): TreeStep | undefined {
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === current),
  );
  const row = rows[at];
  if (row === undefined) return undefined;
  const to = (index: number) => ({ to: rows[Math.min(rows.length - 1, Math.max(0, index))]?.path });
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      return into(row, rows[at + 1]);
    case 'ArrowLeft':
      return outOf(row);
    case 'Enter':
    case ' ':
      return row.isOpen === undefined ? { pick: row.path } : { toggle: row.path };
    default:
      return letterStep(rows, at, key);
  }
}

/** Opens a folder, or goes to what is in it. */
function into({ path, level, isOpen }: TreeRow, next: TreeRow | undefined): TreeStep {
  if (isOpen === false) return { toggle: path };
  return isOpen === true && next !== undefined && next.level > level ? { to: next.path } : {};
}

/** Closes a folder, or goes to the one around. */
function outOf({ path, level, isOpen }: TreeRow): TreeStep {
  if (isOpen === true) return { toggle: path };
  return level === 1 ? {} : { to: parentOf(path) };
}

/** The next row that begins with a letter. */
function letterStep(rows: readonly TreeRow[], at: number, key: string): TreeStep | undefined {
  if (key.length !== 1) return undefined;
  const found = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ name }) =>
    name.toLowerCase().startsWith(key.toLowerCase()),
  );
  return found === undefined ? undefined : { to: found.path };
}

/** The folder of a path; '' at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** All folders around a path, outermost first. */
export function foldersAround(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
