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
];
