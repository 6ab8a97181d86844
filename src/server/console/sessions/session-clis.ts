import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startSession } from '../../../entry/sdk/open-session.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import { isSameProcess } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Manager } from '../../manager/manager.js';
import { openManager } from '../../manager/open-manager.js';

/** A session, as {@link SessionClis} needs it. */
export interface CliUser {
  readonly id: string;
  /** How its next CLI is started. What is recorded there tells whose CLI it is. */
  readonly launch: SessionOptions;
  /** A CLI was started for it, and has said nothing yet. */
  attached(session: Session): void;
  /** It has to wait until another session gives its place up. */
  waits(): void;
}

/** What {@link SessionClis} works with. */
export interface SessionClisOptions {
  /** Where the manager keeps what only this process needs. */
  readonly folder: string;
  readonly clock: Clock;
  /** How many CLIs may run at once. */
  readonly maxRunning: number;
  /** How long one may be idle, in milliseconds. Default: until another session needs its place. */
  readonly idleMs?: number | undefined;
}

/**
 * The CLIs of all sessions: a manager starts, counts and parks them. What it keeps is of no use after this process, since
 * sessions are kept by files of their own, which several servers may share.
 */
export class SessionClis {
  readonly #users: Map<string, CliUser>;
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
    });
  }

  /** Starts a CLI once there is a place for it; resolves when it is ready. */
  async start(user: CliUser): Promise<Session> {
    await this.end(user.id);
    this.#users.set(user.id, user);
    return this.#manager
      .conversation(user.id)
      .wake()
      .catch((error: unknown) => {
        if (errorCode(error) !== 'MANAGER_CLOSED') throw error;
        throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
      });
  }

  /** Keeps a CLI from being parked; the returned function stops that. */
  hold(id: string): () => void {
    return this.#manager.find(id).watch();
  }

  /** Whether it is the manager that ends the CLI of a session. */
  isParking(id: string): boolean {
    if (!this.#users.has(id)) return false;
    const { state, info } = this.#manager.find(id);
    // It gives the session up before it ends it.
    return state === 'running' && info === undefined;
  }

  /** Ends the CLI of a session, also one that waits for its place. */
  async end(id: string): Promise<void> {
    if (this.#users.delete(id)) await this.#manager.delete(id);
  }

  async close(): Promise<void> {
    await this.#manager.close();
    await rm(this.#store, { recursive: true, force: true });
  }

  #tellWaiting(id: string): void {
    const user = this.#users.get(id);
    if (user !== undefined && this.#manager.find(id).state === 'queued') user.waits();
  }
}

/** Makes the manager of a server. */
export async function openSessionClis(options: SessionClisOptions): Promise<SessionClis> {
  const { folder, clock, maxRunning, idleMs = Number.POSITIVE_INFINITY } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(folder);
  const store = await mkdtemp(join(folder, `${process.pid}-`));
  const users = new Map<string, CliUser>();
  const manager = await openManager(
    {
      store,
      maxRunning,
      idleMs,
      // Undefined where a program brings its own rules for prompts.
      optionsFor: ({ name }) => ({ prompts: undefined, ...users.get(name)?.launch }),
    },
    {
      clock,
      startSession: (...given: Parameters<typeof startSession>) => {
        const session = startSession(...given);
        const to = given[0]?.record;
        [...users.values()].find(({ launch }) => launch.record === to)?.attached(session);
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
