import { readdir, readFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Cli } from '../cli.js';
import type { Handler, Handlers } from './request-handler.js';

/** Requests about files and folders, over the real folder that the session works in. */
export const fileHandlers: Handlers = {
  read_file: async (request, cli) => {
    const { path, encoding, max_bytes: maxBytes } = request.body;
    const asked = typeof path === 'string' ? path : '';
    const absPath = resolve(cli.state.cwd, asked);
    const bytes =
      asked !== '' && isInside(cli, absPath) ? await readFile(absPath).catch(() => undefined) : undefined;
    if (bytes === undefined) {
      request.refuse(`read denied: ${asked}`);
      return;
    }
    const limit = typeof maxBytes === 'number' ? maxBytes : bytes.length;
    const part = bytes.subarray(0, limit);
    request.succeed({
      contents: part.toString(encoding === 'base64' ? 'base64' : 'utf8'),
      absPath,
      ...(encoding === 'base64' ? { encoding } : { lossy: false }),
      ...(part.length < bytes.length ? { truncated: true } : {}),
      requested_path: asked,
    });
  },
  seed_read_state: (request) => request.succeed(),
  file_suggestions: async (request, { state }) => {
    const names = request.body.query === '' ? await readdir(state.cwd).catch(() => []) : [];
    request.succeed({ suggestions: names.map((path) => ({ path })), cwd: state.cwd });
  },
  register_repo_root: async (request, { state }) => {
    const directory = resolve(state.cwd, String(request.body.directory));
    if (directory === state.cwd)
      request.refuse(`register_repo_root: ${directory} is the session's working folder`);
    else if (await isFolder(directory)) request.succeed({ directory });
    else request.refuse('register_repo_root: target path could not be resolved');
  },
  set_cwd: (request, { state }) => {
    const { path, trust_accepted: trusted } = request.body;
    if (typeof path !== 'string' || path === '') {
      request.refuse('set_cwd: invalid request — path must be a non-empty string');
      return;
    }
    const directory = resolve(state.cwd, path);
    if (trusted !== true) {
      request.succeed({ status: 'needs_trust', directory });
      return;
    }
    const changed = directory !== state.cwd;
    state.cwd = directory;
    request.succeed({
      status: 'ok',
      cwd: directory,
      changed,
      ...(changed ? { transcript_relocated: true } : {}),
    });
  },
  get_workspace_diff: (request) => request.succeed({ diff: null, noDiffReason: 'no-repository' }),
};

function isInside({ state }: Cli, path: string): boolean {
  const way = relative(state.cwd, path);
  return way !== '' && !way.startsWith('..');
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** 2.0.73: a plain ack; `dry_run` is ignored and files would really change. */
export const rewind2073: Handler = (request, { state }) => {
  const id = String(request.body.user_message_id);
  if (!state.checkpointing) request.refuse('File rewinding is not enabled for the SDK.');
  else if (!state.userMessageIds.has(id)) request.refuse(`No file checkpoint found for message ${id}`);
  else request.succeed();
};

/** From 2.1.17: tells what it can do; a dry run never fails. */
export function rewindFrom2117(extra: Readonly<Record<string, unknown>>): Handler {
  return (request, { state }) => {
    const dry = request.body.dry_run === true;
    const problem = state.checkpointing
      ? state.userMessageIds.has(String(request.body.user_message_id))
        ? undefined
        : 'No file checkpoint found for this message.'
      : 'File rewinding is not enabled.';
    if (problem === undefined) {
      request.succeed(
        dry
          ? { canRewind: true, filesChanged: [], insertions: 0, deletions: 0 }
          : { canRewind: true, ...extra },
      );
    } else if (dry) request.succeed({ canRewind: false, error: problem });
    else request.refuse(problem);
  };
}
