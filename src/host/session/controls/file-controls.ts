import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call, ControlAnswer } from './call.js';

/** Options for reading a file through the CLI. */
export interface ReadFileOptions extends RequestOptions {
  /** The maximum number of bytes. */
  readonly maxBytes?: number | undefined;
  /** `base64` for binary files. */
  readonly encoding?: 'utf-8' | 'base64' | undefined;
  /** The offset to start at, in bytes. */
  readonly offset?: number | undefined;
  /** The position to start at; as on the wire. */
  readonly anchor?: unknown;
}

/** What to reload when a repository is added to the workspace. */
export interface RegisterRepoOptions extends RequestOptions {
  /** Loads its CLAUDE.md. */
  readonly reloadClaudeMd?: boolean | undefined;
  /** Loads its plugins. */
  readonly reloadPlugins?: boolean | undefined;
  /** Loads its skills. */
  readonly reloadSkills?: boolean | undefined;
}

/** Confirms trust in a new working folder. */
export interface SetCwdOptions extends RequestOptions {
  /** Whether the user trusts the folder named in the first answer. */
  readonly trustAccepted?: boolean | undefined;
  /** That folder. */
  readonly trustedDirectory?: string | undefined;
}

/** Control methods about files and folders. */
export class FileControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Reads a file inside the workspace through the CLI; a missing file and a file outside get the same error. */
  read(
    path: string,
    { maxBytes, encoding, offset, anchor, ...options }: ReadFileOptions = {},
  ): Promise<ControlAnswer<'read_file'>> {
    return this.#call('read_file', { path, max_bytes: maxBytes, encoding, offset, anchor }, options);
  }

  /** Suggests file names that match the user's input. */
  suggestions(query: string, options?: RequestOptions): Promise<ControlAnswer<'file_suggestions'>> {
    return this.#call('file_suggestions', { query }, options);
  }

  /** Tells the CLI that the model knows a file's state at `mtime`, so that it may edit the file. */
  async seedReadState(path: string, mtime: number, options?: RequestOptions): Promise<void> {
    await this.#call('seed_read_state', { path, mtime }, options);
  }

  /** Adds a repository below the working folder to the workspace. */
  registerRepo(
    directory: string,
    { reloadClaudeMd, reloadPlugins, reloadSkills, ...options }: RegisterRepoOptions = {},
  ): Promise<ControlAnswer<'register_repo_root'>> {
    const params = {
      directory,
      reload_claude_md: reloadClaudeMd,
      reload_plugins: reloadPlugins,
      reload_skills: reloadSkills,
    };
    return this.#call('register_repo_root', params, options);
  }

  /** Moves the session to another folder; after `needs_trust`, call again with the trust options. */
  setCwd(
    path: string,
    { trustAccepted, trustedDirectory, ...options }: SetCwdOptions = {},
  ): Promise<ControlAnswer<'set_cwd'>> {
    const params = { path, trust_accepted: trustAccepted, trusted_directory: trustedDirectory };
    return this.#call('set_cwd', params, options);
  }

  /** Returns the uncommitted changes of the workspace, or why there are none to show. */
  workspaceDiff(options?: RequestOptions): Promise<ControlAnswer<'get_workspace_diff'>> {
    return this.#call('get_workspace_diff', {}, options);
  }
}
