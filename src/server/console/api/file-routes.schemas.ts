import { z } from 'zod';
import type { Route } from './route.js';

const one = '/conversations/{conversation}';

/** The files of a conversation's folder. */
export const fileRoutes: readonly Route[] = [
  {
    method: 'get',
    path: `${one}/files`,
    name: 'findFiles',
    tag: 'Files',
    about: 'Find files of the folder by parts of their names; ignore files are respected.',
    query: z.strictObject({
      search: z.string().max(200).optional().describe('Part of a name, or letters of it in order.'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .describe('The maximum number. Default: 50.'),
    }),
    answer: z
      .object({ files: z.array(z.string()), cut: z.boolean() })
      .describe('Paths in the folder, best first; those of folders end with a slash.'),
    command: 'files',
  },
  {
    method: 'get',
    path: `${one}/file`,
    name: 'readFile',
    tag: 'Files',
    about: 'Read a file of the folder, at most 1 MiB of it.',
    query: z.strictObject({ path: z.string().min(1).describe('Its path in the folder.') }),
    answer: z
      .object({
        path: z.string(),
        bytes: z.int(),
        text: z.string().optional(),
        cut: z.boolean(),
        image: z
          .object({ type: z.string(), data: z.string() })
          .optional()
          .describe('The whole file as base64, if it is an image.'),
        version: z.string().optional(),
      })
      .describe('The file; without `text` if it is not text, without `version` if it cannot be edited.'),
    command: 'file',
  },
  {
    method: 'put',
    path: `${one}/file`,
    name: 'saveFile',
    tag: 'Files',
    about: 'Write a text file of the folder, or create one. Refused if it is not the version that you read.',
    body: z
      .strictObject({
        path: z.string().min(1).describe('Its path in the folder; its own folder must exist.'),
        text: z.string().describe('At most 1 MiB.'),
        version: z.string().min(1).nullable().describe('The version that you read; null for a new file.'),
      })
      .describe('The file.'),
    answer: z.object({ path: z.string(), version: z.string() }).describe('The new version.'),
    command: 'file.save',
  },
  {
    method: 'get',
    path: `${one}/folder`,
    name: 'listFolder',
    tag: 'Files',
    about: 'List one folder, folders first.',
    query: z.strictObject({
      path: z
        .string()
        .optional()
        .describe('Its path in the folder of the conversation. Default: that folder.'),
    }),
    answer: z
      .object({
        path: z.string(),
        entries: z.array(z.object({ name: z.string(), kind: z.enum(['folder', 'file', 'link', 'other']) })),
        cut: z.boolean(),
      })
      .describe('What is in it, without `.git`.'),
    command: 'folder',
  },
  {
    method: 'get',
    path: `${one}/changes`,
    name: 'listChanges',
    tag: 'Files',
    about:
      'List the files that changed since the conversation began, compared with git or with their contents before its edits.',
    answer: z
      .object({
        against: z.enum(['git', 'edits']),
        commit: z.string().optional(),
        files: z.array(
          z.object({
            path: z.string(),
            how: z.enum(['added', 'changed', 'removed']),
            edited: z.boolean(),
            added: z.int().optional(),
            removed: z.int().optional(),
          }),
        ),
        cut: z.boolean(),
      })
      .describe('Changed files, and whether tools of the conversation edited them.'),
    command: 'changes',
  },
  {
    method: 'get',
    path: `${one}/change`,
    name: 'readChange',
    tag: 'Files',
    about: 'Read one changed file, before and now, at most 1 MiB of each.',
    query: z.strictObject({ path: z.string().min(1).describe('Its path in the folder.') }),
    answer: z
      .object({
        path: z.string(),
        before: z.string().nullish(),
        after: z.string().nullish(),
        cut: z.boolean(),
      })
      .describe('Both texts: null if there is no file, left out if it is not text.'),
    command: 'change',
  },
  {
    method: 'get',
    path: '/worktrees',
    name: 'listWorktrees',
    tag: 'Files',
    about: 'List the git worktrees that the server created for conversations, with their sizes.',
    answer: z
      .object({
        worktrees: z.array(
          z.object({
            name: z.string(),
            path: z.string(),
            repository: z.string(),
            branch: z.string().optional(),
            ignored: z.array(z.string()).optional(),
            bytes: z.int(),
            atLeast: z.boolean(),
            uncommitted: z.int(),
            commits: z.int(),
            sessions: z.array(z.string()),
          }),
        ),
      })
      .describe('Worktrees, and their unmerged changes.'),
    command: 'worktrees',
  },
  {
    method: 'post',
    path: '/worktrees/{worktree}/end',
    name: 'endWorktree',
    tag: 'Files',
    about:
      'Merge what is checked out in a worktree and remove it, optionally after committing all its files, or only remove it. Removed work is kept under `refs/coxswain/kept` for 30 days.',
    body: z
      .strictObject({
        how: z.enum(['merge', 'commit-and-merge', 'remove']),
        discardIgnored: z
          .union([z.boolean(), z.array(z.string())])
          .optional()
          .describe(
            'Also delete files that git ignores and repositories inside: all, or those with these names. Default: refuse.',
          ),
      })
      .describe('How to end it.'),
    command: 'worktrees.end',
  },
];
