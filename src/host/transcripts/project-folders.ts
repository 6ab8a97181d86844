import { readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readEnds } from './ends.js';
import { longKeyPrefix, projectKeyOf, projectsFolder } from './places.js';
import { asSessionId } from './session-id.js';
import type { SessionPlace } from './transcript-types.js';
import { worktreesOf } from './worktrees.js';

/** What decides in which folders transcripts are looked for. */
export interface FolderChoice extends Pick<SessionPlace, 'dir' | 'configDir'> {
  readonly includeWorktrees?: boolean | undefined;
}

/** The folders of transcripts to look into: those of one project, or all there are. */
export async function projectFolders(choice: FolderChoice): Promise<readonly string[]> {
  const projects = projectsFolder(choice);
  if (!choice.dir) return allFolders(projects);
  const paths = await pathsOf(choice.dir, choice.includeWorktrees ?? true);
  const found = await Promise.all(paths.map((path) => foldersFor(path, projects)));
  return [...new Set(found.flat())];
}

async function allFolders(projects: string): Promise<readonly string[]> {
  const entries = await readdir(projects, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(projects, name));
}

/** The CLI writes under the real path; a path that is gone is taken as it is. */
async function pathsOf(dir: string, includeWorktrees: boolean): Promise<readonly string[]> {
  const given = resolve(dir);
  const real = await realpath(given).catch(() => given);
  return [...new Set([real, given, ...(includeWorktrees ? await worktreesOf(real) : [])])];
}

async function foldersFor(path: string, projects: string): Promise<readonly string[]> {
  const exact = join(projects, projectKeyOf(path));
  const prefix = longKeyPrefix(path);
  if (prefix === undefined) return [exact];
  const names = (await readdir(projects).catch(() => [])).filter((name) => name.startsWith(prefix));
  const candidates = names.map((name) => join(projects, name)).filter((folder) => folder !== exact);
  const mine = await Promise.all(candidates.map((folder) => isOfPath(folder, path)));
  return [exact, ...candidates.filter((_, index) => mine[index])];
}

/** Long paths that begin alike share a prefix: only the transcripts themselves tell whose they are. */
async function isOfPath(folder: string, path: string): Promise<boolean> {
  const names = await transcriptNames(folder);
  for (const name of names.slice(0, 5)) {
    const ends = await readEnds(join(folder, name));
    const cwd = ends?.first('cwd');
    if (cwd !== undefined) return cwd === path;
  }
  return false;
}

/** The names of the transcripts in a folder; other files, such as those of old subagents, are left out. */
export async function transcriptNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl') && asSessionId(name.slice(0, -6)) !== undefined);
}
