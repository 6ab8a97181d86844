import * as z from 'zod';
import { ack, noParams, open, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { fileRequests } from './file-requests.js';

/** Schemas of the requests about files and folders. */
export const fileSchemas = {
  rewind_files: {
    params: z.looseObject({ user_message_id: z.string(), dry_run: z.boolean().optional() }),
    answer: z.looseObject({
      canRewind: z.boolean().optional(),
      error: z.string().optional(),
      filesChanged: z.array(z.string()).optional(),
      insertions: z.number().optional(),
      deletions: z.number().optional(),
      skippedLinks: z.number().optional(),
    }),
  },
  read_file: {
    params: z.looseObject({
      path: z.string(),
      max_bytes: z.number().optional(),
      encoding: z.enum(['utf-8', 'base64']).optional(),
      anchor: z.unknown().optional(),
      offset: z.number().optional(),
      liveReply: z.boolean().optional(),
    }),
    answer: z.looseObject({
      contents: z.string(),
      absPath: z.string(),
      requested_path: z.string().optional(),
      truncated: z.boolean().optional(),
      encoding: z.string().optional(),
      lossy: z.boolean().optional(),
    }),
  },
  seed_read_state: {
    params: z.looseObject({ path: z.string(), mtime: z.number() }),
    answer: ack,
  },
  file_suggestions: {
    params: z.looseObject({ query: z.string() }),
    answer: z.looseObject({ suggestions: z.array(z.unknown()), cwd: z.string() }),
  },
  register_repo_root: {
    params: z.looseObject({
      directory: z.string(),
      reload_claude_md: z.boolean().optional(),
      reload_plugins: z.boolean().optional(),
      reload_skills: z.boolean().optional(),
    }),
    answer: z.looseObject({ directory: z.string().optional() }),
  },
  set_cwd: {
    params: z.looseObject({
      path: z.string(),
      trust_accepted: z.boolean().optional(),
      trusted_directory: z.string().optional(),
    }),
    answer: z.looseObject({
      status: open(['ok', 'needs_trust']),
      directory: z.string().optional(),
      cwd: z.string().optional(),
      changed: z.boolean().optional(),
      transcript_relocated: z.boolean().optional(),
    }),
  },
  get_workspace_diff: {
    params: noParams,
    answer: z.looseObject({ diff: z.unknown(), noDiffReason: z.string().optional() }),
  },
} satisfies RequestSchemas<keyof typeof fileRequests>;
