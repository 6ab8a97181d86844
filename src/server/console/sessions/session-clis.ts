import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSession } from '../../../entry/sdk/open-session.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { UserInput } from '../../../host/session/turns/user-message.js';
import { isSameProcess } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Conversation, ConversationSendOptions } from '../../manager/conversations/conversation.js';
import type { Manager } from '../../manager/manager.js';
import type { ManagerOptions } from '../../manager/manager-options.js';
import { openManager } from '../../manager/open-manager.js';
import { withoutStart } from './session-options.js';

/** A session, as {@link SessionClis} needs it. */
export interface CliUser {
  readonly id: string;
  /** How its next CLI is started. */
  launch(): SessionOptions;
  /** The permission mode that it begins in. */
  mode(): SessionOptions['permissionMode'];
  /** A CLI was started for it, and has said nothing yet. */
  attached(session: Session): void;
  /** It has to wait: until another session gives its place up, or for what is said. */
  waits(why?: string): void;
}

/** How a message is sent. */
export type SentOptions = Omit<ConversationSendOptions, 'whileBusy'> & { readonly uuid: string };

/** What {@link SessionClis} works with. */
export interface SessionClisOptions {
  /** Where the manager keeps what only this process needs. */
  readonly folder: string;
  readonly clock: Clock;
  /** What is the user's to choose. Default of `idleMs`: until another session needs its place. */
  readonly manager: Pick<ManagerOptions, 'maxRunning' | 'idleMs' | 'onLimit' | 'limitSpreadMs'>;
}

/**
 * The conversations of all sessions: a manager takes their messages, and starts, counts and parks their CLIs. What it keeps is
 * of no use after this process, since sessions are kept by files of their own, which several servers may share.
 */
export class SessionClis {
  readonly #users: Map<string, CliUser>;
  readonly #conversations = new Map<string, Conversation>();
  readonly #manager: Manager;
  readonly #store: string;

  /** See {@link openSessionClis}. */
  constructor(manager: Manager, store: string, users: Map<string, CliUser>) {
    this.#manager = manager;
    this.#store = store;
    this.#users = users;
    manager.on('state', ({ conversation, state }) => {
      // Most often its place is there at once.
      if (state === 'queued') setImmediate(() => this.#tellWaiting(conversation));
      if (state === 'limited') this.#tellLimit(conversation);
    });
  }

  /** Starts a CLI once there is a place for it; resolves when it is ready. */
  async start(user: CliUser, goesOn: boolean): Promise<Session> {
    if (!goesOn) await this.end(user.id);
    this.#users.set(user.id, user);
    const conversation = this.#manager.conversation(user.id);
    this.#conversations.set(user.id, conversation);
    return conversation.wake().catch((error: unknown) => {
      if (errorCode(error) !== 'MANAGER_CLOSED') throw error;
      throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
    });
  }

  /** Sends a message: at once, also while a turn runs, or when there is a CLI again. */
  send(id: string, input: UserInput, options: SentOptions): Turn {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
    return conversation.send(input, { ...options, whileBusy: 'join' });
  }

  /** Whether messages of a session have not settled. */
  hasMessages(id: string): boolean {
    return (this.#conversations.get(id)?.facts.messages ?? 0) > 0;
  }

  /** Keeps a CLI from being parked; the returned function stops that. */
  hold(id: string): (() => void) | undefined {
    return this.#conversations.get(id)?.watch();
  }

  /** Whether it is the manager that ends the CLI of a session. */
  isParking(id: string): boolean {
    const conversation = this.#conversations.get(id);
    // It gives the session up before it ends it.
    return conversation?.state === 'running' && conversation.info === undefined;
  }

  /** Ends the CLI of a session, also one that waits for its place. */
  async end(id: string): Promise<void> {
    this.#users.delete(id);
    if (this.#conversations.delete(id)) await this.#manager.delete(id);
  }

  async close(): Promise<void> {
    await this.#manager.close();
    await rm(this.#store, { recursive: true, force: true });
  }

  #tellLimit(id: string): void {
    const until = this.#conversations.get(id)?.facts.limitUntil?.toISOString();
    this.#users.get(id)?.waits(`A usage limit is reached. The message is sent again after ${until}.`);
  }

  #tellWaiting(id: string): void {
    if (this.#conversations.get(id)?.state === 'queued') this.#users.get(id)?.waits();
  }
}

/** Makes the manager of a server. */
export async function openSessionClis(options: SessionClisOptions): Promise<SessionClis> {
  const { folder, clock, manager: chosen } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(folder);
  const store = await mkdtemp(join(folder, `${process.pid}-`));
  const users = new Map<string, CliUser>();
  const manager = await openManager(
    {
      store,
      ...chosen,
      idleMs: chosen.idleMs ?? Number.POSITIVE_INFINITY,
      optionsFor: ({ name, sessionId }) => {
        const launch = users.get(name)?.launch() ?? {};
        // Undefined where a program brings its own rules for prompts.
        return { prompts: undefined, ...(sessionId === undefined ? launch : withoutStart(launch)) };
      },
    },
    {
      clock,
      startSession: (options, deps, name = '') => {
        const user = users.get(name);
        // Whatever the conversation was in before: the console decides in which mode a CLI may begin.
        const session = startSession({ ...options, permissionMode: user?.mode() }, deps);
        user?.attached(session);
        return session;
      },
    },
  );
  return new SessionClis(manager, store, users);
}

/** Removes what servers have left that were killed. */
async function removeLeft(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d+-\w+$/.test(name));
  const left = names.filter((name) => !isSameProcess({ pid: Number.parseInt(name, 10) }));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
