import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readEnds } from './ends.js';
import { asSessionId } from './session-id.js';
import type { SessionPlace } from './transcript-types.js';
import { worktreesOf } from './worktrees.js';

/** What decides which folders are searched for transcripts. */
export interface FolderChoice extends Pick<SessionPlace, 'dir' | 'configDir'> {
  readonly includeWorktrees?: boolean | undefined;
}

/** The transcript folders to search: those of one project, or all. */
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

/**
 * The CLI writes under the real path; a path that no longer exists is used as it is. Some versions normalise composed
 * characters first, which old macOS file systems keep decomposed.
 */
async function pathsOf(dir: string, includeWorktrees: boolean): Promise<readonly string[]> {
  const given = resolve(dir);
  const real = await realpath(given).catch(() => given);
  const paths = [real, given, ...(includeWorktrees ? await worktreesOf(real) : [])];
  return [...new Set([...paths, ...paths.map((path) => path.normalize('NFC'))])];
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

/** Long paths with the same beginning share a prefix: only the transcripts themselves show whose they are. */
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

/** The folder in which the CLI keeps a folder of transcripts per project. */
export function projectsFolder({ configDir }: Pick<SessionPlace, 'configDir'>): string {
  return join(resolve(configDir ?? defaultConfigDir()), 'projects');
}

/** The CLI's own folder; an empty variable counts as unset. */
export function defaultConfigDir(env: NodeJS.ProcessEnv = process.env): string {
  return env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude');
}

/** The longest folder name that the CLI creates from a path without shortening it. */
const MAX_PLAIN_KEY = 200;

/** The CLI's name for a project folder: everything except letters and digits becomes a dash. */
export function projectKeyOf(path: string): string {
  const plain = plainKey(path);
  return plain.length <= MAX_PLAIN_KEY ? plain : `${plain.slice(0, MAX_PLAIN_KEY)}-${hashOf(path)}`;
}

/** The key of a long path without its hash, which CLIs compute in different ways. */
function longKeyPrefix(path: string): string | undefined {
  const plain = plainKey(path);
  return plain.length <= MAX_PLAIN_KEY ? undefined : `${plain.slice(0, MAX_PLAIN_KEY)}-`;
}

function plainKey(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** The portable hash of store keys: 31 times the previous value plus the next unit, in 32 bits. */
function hashOf(path: string): string {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1) hash = (hash * 31 + path.charCodeAt(index)) | 0;
  return Math.abs(hash).toString(36);
}
