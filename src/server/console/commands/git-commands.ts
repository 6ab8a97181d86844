import { kind, kinds, listOf } from '../../../wire/util/option-checks.js';
import { commitStaged, gitHunks, gitView, stage } from '../files/staging.js';
import type { CommandTable } from './command.js';
import { folderOf } from './file-commands.js';

/** The longest message of a commit. */
const LONGEST = 20_000;
const message = kind(
  `a text of at most ${LONGEST} characters`,
  (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST && !value.includes('\0'),
);
const aFile = { needs: { path: kinds.text }, takes: { hunks: listOf(kinds.text) } };

/** The commands about uncommitted changes in a session's folder. They do not need a CLI. */
export const gitCommands: CommandTable<
  'git.status' | 'git.hunks' | 'git.stage' | 'git.unstage' | 'git.commit'
> = {
  'git.status': {
    role: 'operator',
    acts: false,
    run: async (_params, context) => gitView(await folderOf(context), context.folders),
  },
  'git.hunks': {
    role: 'operator',
    acts: false,
    needs: { path: kinds.text },
    takes: { staged: kinds.flag },
    run: async (params, context) => gitHunks(await folderOf(context), params),
  },
  'git.stage': {
    role: 'owner',
    acts: true,
    ...aFile,
    run: async (params, context) => {
      await stage(await folderOf(context), context.folders, params);
      return {};
    },
  },
  'git.unstage': {
    role: 'owner',
    acts: true,
    ...aFile,
    run: async (params, context) => {
      await stage(await folderOf(context), context.folders, { ...params, undo: true });
      return {};
    },
  },
  'git.commit': {
    role: 'owner',
    acts: true,
    needs: { message, index: kinds.text },
    run: async (params, context) => ({
      commit: await commitStaged(await folderOf(context), context.folders, params),
    }),
  },
};
