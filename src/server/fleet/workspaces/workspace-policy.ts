import { stat } from 'node:fs/promises';
import { CoxswainError } from '../../../wire/util/errors.js';
import { GitCheckpoints, type GitWorkspaces } from './git-checkpoints.js';

/** A conversation and the folder that it works in. */
export interface WorkspaceUse {
  readonly session: string;
  readonly cwd: string;
  /** Increases with each owner. */
  readonly epoch: number;
}

/** How files move with a conversation. */
export interface WorkspacePolicy {
  /** Called before a worker starts a CLI for a new conversation; returns the folder to work in. */
  prepare(use: WorkspaceUse): Promise<{ readonly cwd: string }>;
  /** Called after a turn. */
  checkpoint(use: WorkspaceUse): Promise<void>;
  /** Called when the conversation was removed; deletes everything. */
  remove(use: Pick<WorkspaceUse, 'session'>): Promise<void>;
  /** Called when a worker starts; deletes what it still has of conversations that were removed elsewhere. */
  clean(isGone: (session: string) => Promise<boolean>): Promise<void>;
}

/**
 * How the files of a conversation get to the next worker: not at all (`none`), through a volume that all workers have at the same
 * path (`shared`), or through a ref that is pushed to a git remote after each turn and checked out by the next owner.
 */
export type Workspaces = 'none' | 'shared' | { readonly git: GitWorkspaces };

/** Creates the policy. */
export function workspacePolicy(workspaces: Workspaces): WorkspacePolicy {
  if (typeof workspaces === 'object') return new GitCheckpoints(workspaces.git);
  return {
    prepare: async ({ cwd }) => {
      if (workspaces === 'shared') await needFolder(cwd);
      return { cwd };
    },
    checkpoint: async () => {},
    remove: async () => {},
    clean: async () => {},
  };
}

async function needFolder(cwd: string): Promise<void> {
  const facts = await stat(cwd).catch(() => undefined);
  if (facts?.isDirectory()) return;
  const message = `The folder ${cwd} is not on this machine. Workers with shared workspaces need the same volume at the same path.`;
  throw new CoxswainError('WORKSPACE_FAILED', message);
}
