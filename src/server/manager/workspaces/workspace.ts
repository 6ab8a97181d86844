import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CoxswainError } from '../../../wire/util/errors.js';
import { addWorktree, endWorktree, type Worktree, type WorktreeEnd } from './worktree.js';

/**
 * Where a conversation works: in the folder of its options (`shared`), in its own git worktree of that folder, or in
 * another folder.
 */
export type Workspace = 'shared' | 'worktree' | { readonly path: string };

/** The folder for a conversation; creates a worktree if there is none yet. */
export async function workspaceFolder(
  workspace: Workspace,
  { store, name, cwd }: { readonly store: string; readonly name: string; readonly cwd: string },
): Promise<string> {
  if (workspace === 'shared') return cwd;
  if (typeof workspace === 'object') return workspace.path;
  return (await addWorktree(worktreeOf(store, name, cwd))).path;
}

/** Ends the workspace of a conversation. */
export async function endWorkspace(
  workspace: Workspace,
  {
    store,
    name,
    cwd,
    end,
  }: { readonly store: string; readonly name: string; readonly cwd: string; readonly end: WorktreeEnd },
): Promise<void> {
  if (workspace === 'worktree') return endWorktree(worktreeOf(store, name, cwd), end);
  if (end === 'keep') return;
  throw new CoxswainError('WORKSPACE_FAILED', `The conversation ${name} has no worktree to ${end}.`);
}

/** Names may contain anything; folders and branches may not, and two names never share one. */
function worktreeOf(store: string, name: string, repository: string): Worktree {
  const plain = name.replaceAll(/[^\w-]+/g, '-').slice(0, 40);
  const slug = `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return { path: join(store, 'worktrees', slug), branch: `coxswain/${slug}`, repository };
}
