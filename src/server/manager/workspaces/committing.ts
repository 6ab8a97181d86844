import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { git, workspaceFailed } from './git.js';
import { needsSignature, programsNeeded } from './repository-settings.js';

/** Why files of this folder cannot be committed here; undefined if they can. */
export async function reasonNotToCommit(folder: string): Promise<string | undefined> {
  return (await programsNeeded(folder)) ?? (await unsigned(folder));
}

export async function unsigned(folder: string): Promise<string | undefined> {
  return (await needsSignature(folder)) ? 'Its commits have to be signed.' : undefined;
}

/** What git has begun in a folder, and not ended: completing or aborting it is not for us. */
export async function underWay(folder: string): Promise<string | undefined> {
  const place = await git(folder, ['rev-parse', '--absolute-git-dir']);
  const found = Object.entries(UNDER_WAY).find(([name]) => existsSync(join(place, name)));
  return found === undefined ? undefined : `A ${found[1]} is under way in ${folder}. Complete it first.`;
}

/** @throws CoxswainError `WORKSPACE_FAILED` if git has begun something there. */
export async function refuseUnderWay(folder: string): Promise<void> {
  const reason = await underWay(folder);
  if (reason !== undefined) throw workspaceFailed(reason);
}

const UNDER_WAY = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
};
