import { kinds } from '../../../wire/util/option-checks.js';
import { readFolderFile } from '../files/read-file.js';
import type { CommandContext, CommandTable } from './command.js';

/** The commands about the files of a session's folder. They ask no CLI. */
export const fileCommands: CommandTable<'files' | 'file'> = {
  files: {
    takes: { search: kinds.anyText, limit: kinds.positiveCount },
    only: 'reads',
    run: async ({ search = '', limit }, context) =>
      context.files.find(await folderOf(context), search.slice(0, LONGEST), Math.min(limit ?? GIVEN, MOST)),
  },
  file: {
    needs: { path: kinds.text },
    only: 'reads',
    run: async ({ path }, context) => readFolderFile(await folderOf(context), path),
  },
};

const GIVEN = 50;
const MOST = 1_000;
/** The longest search. */
const LONGEST = 200;

/** The folder that a session works in, if it is still one that it may work in. */
async function folderOf({ session, folders }: CommandContext): Promise<string> {
  return folders.check((await session()).opened.cwd);
}
