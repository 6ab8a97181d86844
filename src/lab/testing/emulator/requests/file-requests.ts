import { readdirSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Handler, Handlers } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import type { SessionState } from '../session-state.js';
import { workspaceDiff } from './workspace-diff.js';

/** Requests about files and folders, on the session's real folder. */
export const fileHandlers: Handlers = {
  rewind_files: (request, cli) => rewindFiles(request, cli),
  read_file: (request, cli) => {
    const { path, encoding, max_bytes: maxBytes } = request.body;
    const asked = typeof path === 'string' ? path : '';
    const absPath = resolve(cli.state.cwd, asked);
    const bytes =
      asked !== '' && isInside(cli, absPath) ? orUndefined(() => readFileSync(absPath)) : undefined;
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
  file_suggestions: (request, { state, traits }) => {
    const names = request.body.query === '' ? (orUndefined(() => readdirSync(state.cwd)) ?? []) : [];
    const suggestions = names.map((path) => ({ path }));
    request.succeed({ suggestions, ...(traits.suggestsWithFolder ? { cwd: state.cwd } : {}) });
  },
  register_repo_root: (request, { state }) => {
    const directory = resolve(state.cwd, String(request.body.directory));
    if (directory === state.cwd)
      request.refuse(`register_repo_root: ${directory} is the session's working folder`);
    else if (orUndefined(() => statSync(directory))?.isDirectory()) request.succeed({ directory });
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
  get_workspace_diff: async (request, { state }) => request.succeed(await workspaceDiff(state.cwd)),
};

function isInside({ state }: Cli, path: string): boolean {
  const way = relative(state.cwd, path);
  return way !== '' && !way.startsWith('..');
}

/** Uses synchronous file access: on a busy machine, a request that waits for the disk would look unanswered. */
function orUndefined<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Old versions send a plain ack, ignore `dry_run`, and really change files. */
const rewindFiles: Handler = (request, { state, traits }) => {
  const id = String(request.body.user_message_id);
  const problem = rewindProblem(state, id);
  const isDry = request.body.dry_run === true;
  const isToldDry = isDry && traits.tellsRewind;
  if (problem !== undefined) {
    if (isToldDry) request.succeed({ canRewind: false, error: problem });
    else request.refuse(problem);
    return;
  }
  const preview = state.checkpoints.preview(id);
  if (traits.rewindsFiles && !(isDry && traits.dryRunIsHarmless)) state.checkpoints.rewind(id);
  if (isToldDry) request.succeed({ canRewind: true, ...preview });
  else if (traits.tellsRewind)
    request.succeed({ canRewind: true, ...(traits.detailed ? { skippedLinks: 0 } : {}) });
  else request.succeed();
};

function rewindProblem({ checkpointing, userMessageIds }: SessionState, id: string): string | undefined {
  if (!checkpointing) return 'File rewinding is not enabled.';
  return userMessageIds.has(id) ? undefined : 'No file checkpoint found for this message.';
}
