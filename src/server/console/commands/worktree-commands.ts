import type { OpenedView, OpenParams } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { either, kinds, listOf, oneOf } from '../../../wire/util/option-checks.js';
import type { CommandContext, CommandTable } from './command.js';

/** The commands about worktrees. */
export const worktreeCommands: CommandTable<'worktrees' | 'worktrees.end'> = {
  worktrees: {
    role: 'operator',
    acts: false,
    run: async (_params, { worktrees, registry }) => ({ worktrees: await worktrees.list(registry.all) }),
  },
  'worktrees.end': {
    role: 'owner',
    acts: true,
    needs: { worktree: kinds.text, how: oneOf('merge', 'commit-and-merge', 'remove') },
    takes: { discardIgnored: either(kinds.flag, listOf(kinds.text)) },
    run: async ({ worktree, ...how }, { worktrees, registry }) => {
      await worktrees.end(worktree, how, () => registry.inUse);
      return {};
    },
  },
};

/** Opens a session in its own worktree; if the session fails to open, the worktree is removed again. */
export async function openInWorktree(
  params: OpenParams,
  { registry, worktrees, by }: CommandContext,
): Promise<OpenedView> {
  if (params.resume !== undefined)
    throw new CoxswainError('COMMAND_INVALID', 'A resumed conversation stays in its folder.');
  const { name, cwd, repository } = await worktrees.make(params.cwd);
  try {
    return await registry.open({ ...params, cwd }, by, repository);
  } catch (error) {
    await worktrees.end(name, { how: 'remove' }, () => registry.inUse).catch(() => {});
    throw error;
  }
}
