import { either, kind, kinds } from '../../../wire/util/option-checks.js';
import { type ChangedSession, sessionChange, sessionChanges } from '../files/changes.js';
import { listFolder } from '../files/list-folder.js';
import { MOST_BYTES, readFolderFile } from '../files/read-file.js';
import { saveFile } from '../files/save-file.js';
import type { CommandContext, CommandTable } from './command.js';

const savedText = kind(
  'a text of at most 1 MiB',
  (value) => typeof value === 'string' && Buffer.byteLength(value) <= MOST_BYTES,
);

/** The commands about the files in a session's folder. They do not need a CLI. */
export const fileCommands: CommandTable<'files' | 'file' | 'file.save' | 'folder' | 'changes' | 'change'> = {
  files: {
    role: 'operator',
    acts: false,
    takes: { search: kinds.anyText, limit: kinds.positiveCount },
    run: async ({ search = '', limit }, context) =>
      context.files.find(await folderOf(context), search.slice(0, LONGEST), Math.min(limit ?? GIVEN, MOST)),
  },
  file: {
    role: 'operator',
    acts: false,
    needs: { path: kinds.text },
    run: async ({ path }, context) => readFolderFile(await folderOf(context), path),
  },
  'file.save': {
    role: 'owner',
    acts: true,
    needs: { path: kinds.text, text: savedText, version: either(kinds.text, kinds.null) },
    run: async (params, context) => saveFile(await folderOf(context), params),
  },
  folder: {
    role: 'operator',
    acts: false,
    takes: { path: kinds.anyText },
    run: async ({ path = '' }, context) => listFolder(await folderOf(context), path),
  },
  changes: {
    role: 'operator',
    acts: false,
    run: async (_params, context) => sessionChanges(await changedSession(context)),
  },
  change: {
    role: 'operator',
    acts: false,
    needs: { path: kinds.text },
    run: async ({ path }, context) => sessionChange(await changedSession(context), path),
  },
};

const GIVEN = 50;
const MOST = 1_000;
/** The longest search. */
const LONGEST = 200;

/** A session's folder, if sessions may still work in it. */
export async function folderOf({ session, folders }: CommandContext): Promise<string> {
  return folders.check((await session()).opened.cwd);
}

async function changedSession(context: CommandContext): Promise<ChangedSession> {
  const { summary, log } = await context.session();
  const { startedAt } = summary;
  return { folder: await folderOf(context), startedAt, events: () => log.all() };
}
