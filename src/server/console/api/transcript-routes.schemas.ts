import { z } from 'zod';
import { pageOf as cut, type Route } from './route.js';
import * as shapes from './shapes.schemas.js';

/** Conversations on disk. */
export const transcriptRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/transcripts',
    name: 'listTranscripts',
    tag: 'Transcripts',
    about: 'List conversations on disk, including those of other programs, latest first.',
    query: shapes.pageQuery.extend({
      cwd: z.string().min(1).optional().describe('Only conversations of this folder.'),
      search: z.string().optional().describe('Words in the title or the folder.'),
    }),
    answer: shapes.pageOf(shapes.transcript, 'transcripts'),
    run: async ({ query }, { command }) => {
      const { cwd, search, ...page } = query as { cwd?: string; search?: string };
      const { conversations: all } = await command('history', { cwd, search, limit: 2_000 });
      return cut(all, page, ({ changedAt, conversation }) => [changedAt, conversation]);
    },
  },
  {
    method: 'get',
    path: '/transcripts/search',
    name: 'searchTranscripts',
    tag: 'Transcripts',
    about: 'Search the messages of conversations on disk. `next` continues where a response ended.',
    query: z.strictObject({
      text: z.string().min(1).describe('Words that a message must all contain.'),
      cwd: z.string().min(1).optional().describe('Only conversations of this folder.'),
      cursor: z.string().min(1).optional().describe('`next` of the previous answer.'),
    }),
    answer: shapes.pageOf(shapes.foundTranscript, 'found conversations'),
    run: async ({ query }, { command }) => {
      const { cursor, ...search } = query as { text: string; cwd?: string; cursor?: string };
      const { found, next } = await command('history.search', { ...search, after: cursor });
      return { items: found, next: next ?? null };
    },
  },
  {
    method: 'get',
    path: '/transcripts/{transcript}/messages',
    name: 'readTranscript',
    tag: 'Transcripts',
    about: 'List the messages of a conversation on disk, in order.',
    query: shapes.pageQuery.extend({ cwd: z.string().min(1).optional() }),
    answer: shapes.pageOf(z.looseObject({ type: z.string() }), 'messages'),
    run: async ({ path, query }, { command }) => {
      const { cwd, ...page } = query as { cwd?: string };
      const params = { conversation: path.transcript ?? '', cwd };
      const { messages: all } = await command('history.messages', params);
      const numbered = all.map((message, index) => ({ message, index }));
      const { items, next } = cut(numbered, page, ({ index }) => [-index, '']);
      return { items: items.map(({ message }) => message), next };
    },
  },
  {
    method: 'get',
    path: '/usage/days',
    name: 'readUsageByDay',
    tag: 'Usage',
    about:
      'The tokens of conversations on disk by day and folder. Add up the rows of all pages; `next` continues where a response ended.',
    query: z.strictObject({
      days: z.coerce
        .number()
        .int()
        .positive()
        .max(366)
        .optional()
        .describe('The number of days, including today. Default: 30.'),
      cursor: z.string().min(1).optional().describe('`next` of the previous answer.'),
    }),
    answer: shapes.pageOf(shapes.usageRow, 'usage'),
    run: async ({ query }, { command }) => {
      const { days, cursor } = query as { days?: number; cursor?: string };
      const { rows, next } = await command('history.usage', { days, after: cursor });
      return { items: rows, next: next ?? null };
    },
  },
];
