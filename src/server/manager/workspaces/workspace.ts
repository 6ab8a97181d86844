import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { workspaceFailed } from './git.js';
import { addWorktree } from './worktree.js';
import { endWorktree, type WorktreeEnd, type WorktreeEndOptions } from './worktree-end.js';
import type { Worktree } from './worktree-folder.js';

/**
 * Where a conversation works: in the folder of its options (`shared`), in its own git worktree of that folder, which
 * starts from `HEAD` or from another commit or branch (`{ worktree: 'origin/main' }`), or in another folder.
 */
export type Workspace = 'shared' | 'worktree' | { readonly worktree: string } | { readonly path: string };

/** What identifies the workspace of a conversation. */
interface Place {
  /** The folder of the manager. */
  readonly store: string;
  readonly name: string;
  readonly cwd: string;
}

/** The folder for a conversation; creates a worktree if there is none yet. */
export async function workspaceFolder(
  workspace: Workspace,
  { signal, ...place }: Place & { readonly signal: AbortSignal },
): Promise<string> {
  if (workspace === 'shared') return place.cwd;
  if (typeof workspace === 'object' && 'path' in workspace) return workspace.path;
  const ref = typeof workspace === 'object' ? workspace.worktree : undefined;
  return (await addWorktree({ ...worktreeOf(place), ref, signal })).cwd;
}

/** Ends the workspace of a conversation. */
export async function endWorkspace(
  workspace: Workspace,
  { end, discardIgnored, ...place }: Place & WorktreeEndOptions & { readonly end: WorktreeEnd },
): Promise<void> {
  const isWorktree = workspace === 'worktree' || (typeof workspace === 'object' && 'worktree' in workspace);
  if (isWorktree) return endWorktree(worktreeOf(place), end, { discardIgnored });
  if (end !== 'keep') throw workspaceFailed(`The conversation ${place.name} has no worktree to ${end}.`);
}

/** Names may contain anything; folders and branches may not, and two names never share one. */
function worktreeOf({ store, name, cwd }: Place): Worktree {
  const plain = name.replaceAll(/[^\w-]+/g, '-').slice(0, 40);
  const slug = `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return { path: join(store, 'worktrees', slug), branch: `coxswain/${slug}`, repository: cwd };
}
