import type { Session } from '../../../host/session/session.js';
import { NO_USAGE } from '../../../host/session/turns/usage.js';
import type { ConversationFacts, LaunchOptions } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';
import { endWorkspace, workspaceFolder } from '../workspaces/workspace.js';
import type { WorktreeEnd } from '../workspaces/worktree.js';
import type { Surroundings } from './surroundings.js';
import type { Claim } from './warm-pool.js';

/** What {@link ConversationLaunch} needs from its conversation. */
export interface LaunchOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  readonly facts: ConversationFacts;
  /** The id under which a CLI has written a transcript. */
  knownId(): Promise<string | undefined>;
  /** The CLI's hooks, if they differ from the program's own. */
  hooks(own: LaunchOptions['hooks']): Pick<LaunchOptions, 'hooks'>;
}

/** How a conversation's CLI is started: with which options, in which folder. */
export class ConversationLaunch {
  readonly #owner: LaunchOwner;
  readonly #around: Surroundings;
  #given: LaunchOptions;

  constructor(owner: LaunchOwner, given: LaunchOptions, around: Surroundings) {
    this.#owner = owner;
    this.#given = given;
    this.#around = around;
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
      options.defer !== undefined
    )
      return undefined;
    return pool.claim({ ...this.#given, ...(stored as LaunchOptions) });
  }

  reconfigure(given: LaunchOptions): void {
    this.#given = given;
  }

  /** Starts a CLI that resumes the conversation, if there is something to resume. */
  async start(): Promise<Session> {
    const { startSession, count } = this.#around;
    const { givenId, workspace = 'shared' } = this.#owner.record;
    const sessionId = await this.#owner.knownId();
    const options = this.options;
    const cwd = workspace === 'shared' ? {} : { cwd: await workspaceFolder(workspace, this.#place(options)) };
    count(sessionId === undefined ? 'starts' : 'resumes');
    const begun = givenId === undefined ? {} : { sessionId: givenId };
    const resume = sessionId === undefined ? begun : { resume: sessionId };
    const { costUsd, usage = { ...NO_USAGE, costUsd } } = this.#owner.record;
    const hooks = this.#owner.hooks(options.hooks);
    const deps = { usedBefore: usage };
    return startSession({ ...options, ...cwd, ...resume, ...hooks }, deps, this.#owner.name);
  }

  async endWorkspace(end: WorktreeEnd): Promise<void> {
    const { workspace = 'shared' } = this.#owner.record;
    await endWorkspace(workspace, { ...this.#place(this.options), end });
  }

  #place({ cwd = process.cwd() }: LaunchOptions) {
    return { store: this.#around.folder, name: this.#owner.name, cwd };
  }

  /**
   * The current launch options. Stored options are the latest: how the conversation was opened, and later changes.
   */
  get options(): LaunchOptions {
    const { defaults, optionsFor } = this.#around.options;
    const stored = this.#owner.record.options as LaunchOptions;
    const own = optionsFor?.(this.#owner.facts) ?? {};
    return { prompts: 'manual', ...defaults, ...own, ...this.#given, ...stored };
  }
}
