import type { Session } from '../../../host/session/session.js';
import { NO_USAGE } from '../../../host/session/turns/usage.js';
import { loginOf, OWN_LOGIN } from '../limits/login.js';
import type { ConversationFacts, LaunchOptions } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';
import { endWorkspace, type Workspace, workspaceFolder } from '../workspaces/workspace.js';
import type { WorktreeEnd, WorktreeEndOptions } from '../workspaces/worktree-end.js';
import type { ConversationUser } from './conversation-user.js';
import type { DeferredCalls } from './deferred-calls.js';
import type { Surroundings } from './surroundings.js';
import type { Claim } from './warm-pool.js';

/** What {@link ConversationLaunch} needs from its conversation. */
export interface LaunchOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  readonly facts: ConversationFacts;
  readonly user: ConversationUser | undefined;
  /** Whether it defers calls. */
  readonly defers: boolean;
  /** The id under which a CLI has written a transcript. */
  knownId(): Promise<string | undefined>;
  /** What defers the calls of its next CLI; undefined if nothing does. */
  readonly deferredCalls: DeferredCalls | undefined;
}

/** How a conversation's CLI is started: with which options, in which folder. */
export class ConversationLaunch {
  readonly #owner: LaunchOwner;
  readonly #around: Surroundings;
  #given: LaunchOptions = {};
  #stopping: AbortController | undefined;
  /** The permission mode of its last start. */
  #mode: LaunchOptions['permissionMode'];
  /** The login of its last start. */
  #login: string | undefined;

  constructor(owner: LaunchOwner, around: Surroundings) {
    this.#owner = owner;
    this.#around = around;
  }

  /** The options that this process has given, of all calls. */
  get given(): LaunchOptions {
    return this.#given;
  }

  /** A CLI that was started in advance, if it has the same options and there is nothing to resume. */
  claim(): Claim | undefined {
    const { sessionId, givenId, options: stored, workspace = 'shared' } = this.#owner.record;
    const { options, pool } = this.#around;
    if (
      sessionId !== undefined ||
      givenId !== undefined ||
      workspace !== 'shared' ||
      options.optionsFor !== undefined ||
      this.#owner.user !== undefined ||
      this.#owner.defers
    )
      return undefined;
    return pool.claim({ ...this.#given, ...stored });
  }

  /** The permission mode that its CLI has, as far as is known. */
  get permissionMode(): LaunchOptions['permissionMode'] {
    const { permissionMode: stored } = this.#owner.record.options;
    const given = { ...this.#around.options.defaults, ...this.#given };
    return stored ?? this.#mode ?? given.permissionMode ?? 'default';
  }

  /** The login of its last CLI; before the first one, that of the options. */
  get login(): string {
    try {
      this.#login ??= loginOf(this.options);
      return this.#login;
    } catch {
      // Its `optionsFor` fails: the start of its CLI tells why.
      return OWN_LOGIN;
    }
  }

  /** Takes options of a later call; those that it does not name stay. */
  reconfigure(given: LaunchOptions): void {
    const named = Object.entries(given).filter(([, value]) => value !== undefined);
    this.#given = { ...this.#given, ...Object.fromEntries(named) };
    this.#login = undefined;
  }

  /** Starts a CLI that resumes the conversation, if there is something to resume. */
  async start(): Promise<Session> {
    const { startSession, count } = this.#around;
    const { givenId, workspace = 'shared' } = this.#owner.record;
    const sessionId = await this.#owner.knownId();
    const options = this.options;
    const cwd = workspace === 'shared' ? {} : { cwd: await this.#workspaceFolder(workspace, options) };
    this.#mode = options.permissionMode;
    this.#login = loginOf(options);
    count(sessionId === undefined ? 'starts' : 'resumes');
    const begun = givenId === undefined ? {} : { sessionId: givenId };
    const resume = sessionId === undefined ? begun : { resume: sessionId };
    const { costUsd, usage = { ...NO_USAGE, costUsd } } = this.#owner.record;
    const calls = this.#owner.deferredCalls;
    const hooks = calls === undefined ? {} : { hooks: calls.hooks(options.hooks) };
    // A CLI that comes back to a deferred call or a kept prompt may have to ask for its answer.
    const comesBack = this.#owner.defers || this.#owner.record.prompts !== undefined;
    const asks = comesBack ? { permissionPromptTool: 'stdio' } : {};
    const { user } = this.#owner;
    // The messages of a user's conversation are read from its log.
    const deps = { usedBefore: usage, readsTurns: user === undefined, pace: user?.pace };
    const session = startSession({ ...asks, ...options, ...cwd, ...resume, ...hooks }, deps);
    calls?.follow(session);
    user?.attached(session);
    return session;
  }

  /** Stops a start that waits for its workspace. */
  stop(): void {
    this.#stopping?.abort();
  }

  async #workspaceFolder(workspace: Workspace, options: LaunchOptions): Promise<string> {
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    return workspaceFolder(workspace, { ...this.#place(options), signal }).finally(() => {
      this.#stopping = undefined;
    });
  }

  async endWorkspace(end: WorktreeEnd, options?: WorktreeEndOptions): Promise<void> {
    const { workspace = 'shared' } = this.#owner.record;
    await endWorkspace(workspace, { ...this.#place(this.options), ...options, end });
  }

  #place({ cwd = process.cwd() }: LaunchOptions) {
    return { store: this.#around.folder, name: this.#owner.name, cwd };
  }

  /**
   * The current launch options. Stored options are the latest: how the conversation was opened, and later changes; but a
   * user has the last word.
   */
  get options(): LaunchOptions {
    const { defaults, optionsFor } = this.#around.options;
    const { record, user } = this.#owner;
    const own = optionsFor?.(this.#owner.facts) ?? {};
    const chosen = user?.launch(record.sessionId !== undefined);
    return { ...defaults, ...own, ...this.#given, ...record.options, ...chosen };
  }
}
