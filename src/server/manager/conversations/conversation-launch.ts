import { join } from 'node:path';
import type { Session } from '../../../host/session/session.js';
import { sessionMessages } from '../../../host/transcripts/session-messages.js';
import type { ConversationFacts, LaunchOptions } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';
import { endWorkspace, workspaceFolder } from '../workspaces/workspace.js';
import type { WorktreeEnd } from '../workspaces/worktree.js';
import type { Surroundings } from './surroundings.js';

/** What {@link ConversationLaunch} asks of its conversation. */
export interface LaunchOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  readonly facts: ConversationFacts;
}

/** How the CLI of a conversation is started: with which options, in which folder. */
export class ConversationLaunch {
  readonly #owner: LaunchOwner;
  readonly #around: Surroundings;
  #given: LaunchOptions;

  constructor(owner: LaunchOwner, given: LaunchOptions, around: Surroundings) {
    this.#owner = owner;
    this.#given = given;
    this.#around = around;
  }

  /** Whether a CLI that was started ahead with the default options would do. */
  get takesWarm(): boolean {
    const { sessionId, options, workspace = 'shared' } = this.#owner.record;
    const own = Object.keys(this.#given).length > 0 || Object.keys(options).length > 0;
    const { optionsFor } = this.#around.options;
    return sessionId === undefined && !own && optionsFor === undefined && workspace === 'shared';
  }

  reconfigure(given: LaunchOptions): void {
    this.#given = given;
  }

  /** Starts a CLI that resumes the conversation, where there is something to resume. */
  async start(): Promise<Session> {
    const { startSession, count } = this.#around;
    const { sessionId, workspace = 'shared' } = this.#owner.record;
    const options = this.#options();
    const cwd = workspace === 'shared' ? {} : { cwd: await workspaceFolder(workspace, this.#place(options)) };
    count(sessionId === undefined ? 'starts' : 'resumes');
    return startSession({ ...options, ...cwd, ...(sessionId === undefined ? {} : { resume: sessionId }) });
  }

  /**
   * Whether a CLI of a host that is gone took up a message: it may have gone on for a while, and its transcript says so.
   * Where there is a transcript, the id of its first CLI is the conversation's.
   */
  async tookUp(messageId: string, found: (sessionId: string) => void): Promise<boolean> {
    const { sessionId, startedAs } = this.#owner.record;
    const id = sessionId ?? startedAs;
    if (id === undefined) return false;
    const messages = await sessionMessages(id, { configDir: configFolder(this.#options()) });
    if (messages.length > 0 && sessionId === undefined) found(id);
    return messages.some(({ uuid }) => uuid === messageId);
  }

  async endWorkspace(end: WorktreeEnd): Promise<void> {
    const { workspace = 'shared' } = this.#owner.record;
    await endWorkspace(workspace, { ...this.#place(this.#options()), end });
  }

  #place({ cwd = process.cwd() }: LaunchOptions) {
    return { store: this.#around.folder, name: this.#owner.name, cwd };
  }

  /** The launch options as they are now; what was said last counts. */
  #options(): LaunchOptions {
    const { defaults, optionsFor } = this.#around.options;
    const stored = this.#owner.record.options as LaunchOptions;
    const own = optionsFor?.(this.#owner.facts) ?? {};
    return { prompts: 'manual', ...defaults, ...stored, ...own, ...this.#given };
  }
}

/** Where the CLI keeps its transcripts, if its environment says other than ours. */
function configFolder({ env = {} }: LaunchOptions): string | undefined {
  const { CLAUDE_CONFIG_DIR, HOME } = env;
  return CLAUDE_CONFIG_DIR ?? (HOME === undefined ? undefined : join(HOME, '.claude'));
}
