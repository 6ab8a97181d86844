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
      limit: z.coerce.number().int().min(1).max(1_000).optional().describe('How many at most. Default: 50.'),
    }),
    answer: z
      .object({ files: z.array(z.string()), cut: z.boolean() })
      .describe('Paths in the folder, best first; those of folders end with a slash.'),
    run: ({ path, query }, { command }) => command('files', query, path.conversation),
  },
  {
    method: 'get',
    path: `${one}/file`,
    name: 'readFile',
    tag: 'Files',
    about: 'Read a file of the folder, 1 MiB of it at most.',
    query: z.strictObject({ path: z.string().min(1).describe('Its path in the folder.') }),
    answer: z
      .object({ path: z.string(), bytes: z.int(), text: z.string().optional(), cut: z.boolean() })
      .describe('The file; without a text where it is none.'),
    run: ({ path, query }, { command }) => command('file', query, path.conversation),
  },
  {
    method: 'get',
    path: `${one}/changes`,
    name: 'listChanges',
    tag: 'Files',
    about:
      'The files that have changed since the conversation began, against git or against what its edits found.',
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
    run: ({ path }, { command }) => command('changes', {}, path.conversation),
  },
  {
    method: 'get',
    path: `${one}/change`,
    name: 'readChange',
    tag: 'Files',
    about: 'One changed file, before and now, 1 MiB of each at most.',
    query: z.strictObject({ path: z.string().min(1).describe('Its path in the folder.') }),
    answer: z
      .object({
        path: z.string(),
        before: z.string().nullish(),
        after: z.string().nullish(),
        cut: z.boolean(),
      })
      .describe('Both texts: null where there is no file, left out where it is no text.'),
    run: ({ path, query }, { command }) => command('change', query, path.conversation),
  },
];
