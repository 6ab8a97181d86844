import { z } from 'zod';
import type { Route } from './route.js';

const one = '/conversations/{conversation}/git';
const path = z.string().min(1).describe('Its path in the folder.');
const hunk = z.object({
  id: z.string(),
  oldStart: z.int(),
  newStart: z.int(),
  lines: z.array(z.string()),
});
const chosen = z
  .strictObject({ path, hunks: z.array(z.string()).optional().describe('Default: the whole file.') })
  .describe('A file, and the ids of hunks in it.');

/** Staging and committing what a conversation has changed. */
export const gitRoutes: readonly Route[] = [
  {
    method: 'get',
    path: one,
    name: 'readGit',
    tag: 'Git',
    about: 'List what is staged in the folder and what is not.',
    answer: z
      .object({
        inRepository: z.boolean(),
        branch: z.string().optional(),
        files: z.array(
          z.object({
            path: z.string(),
            how: z.enum(['added', 'changed', 'removed']),
            staged: z.boolean(),
            added: z.int().optional(),
            removed: z.int().optional(),
          }),
        ),
        index: z.string(),
        refused: z.string().optional(),
        cut: z.boolean(),
      })
      .describe(
        'Changed files; `refused` says why nothing can be committed, `index` identifies what is staged.',
      ),
    command: 'git.status',
  },
  {
    method: 'get',
    path: `${one}/hunks`,
    name: 'readHunks',
    tag: 'Git',
    about: 'Read the hunks of a file that are staged, or those that are not (default).',
    query: z.strictObject({ path, staged: z.enum(['true', 'false']).optional() }),
    answer: z
      .object({ path: z.string(), hunks: z.array(hunk).optional() })
      .describe('Its hunks; left out if it is not text or too long.'),
    command: 'git.hunks',
    run: ({ path: { conversation }, query }, { command }) => {
      const { path: file, staged } = query as { path: string; staged?: string };
      return command('git.hunks', { path: file, staged: staged === 'true' }, conversation);
    },
  },
  {
    method: 'post',
    path: `${one}/stage`,
    name: 'stage',
    tag: 'Git',
    about: 'Stage a file, or some of its hunks. Hunks that have changed since are refused.',
    body: chosen,
    command: 'git.stage',
  },
  {
    method: 'post',
    path: `${one}/unstage`,
    name: 'unstage',
    tag: 'Git',
    about: 'Take a file, or some of its hunks, out of what is staged; the file stays as it is.',
    body: chosen,
    command: 'git.unstage',
  },
  {
    method: 'post',
    path: `${one}/commit`,
    name: 'commit',
    tag: 'Git',
    about: 'Commit what is staged. Hooks do not run.',
    body: z
      .strictObject({ message: z.string().min(1).max(20_000), index: z.string().min(1) })
      .describe('The message, and the `index` of what you looked at.'),
    answer: z.object({ commit: z.string() }).describe('The new commit.'),
    command: 'git.commit',
  },
];
