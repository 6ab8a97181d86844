import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { CliUser, SessionClis } from './session-clis.js';

/** Where the CLI of a session is. */
export type CliState = 'waiting' | 'starting' | 'connected' | 'parked' | 'none';

/** What {@link SessionCli} tells its session. */
export interface SessionCliOwner {
  readonly id: string;
  /** A CLI was started, and has said nothing yet. */
  attached(session: Session): void;
  /** It is in another state. */
  changed(): void;
}

/** The CLI of one session: on its way, there, parked, or none. */
export class SessionCli implements CliUser {
  readonly id: string;
  readonly #owner: SessionCliOwner;
  readonly #clis: SessionClis;
  #launch: SessionOptions = {};
  #session: Session | undefined;
  /** Settles when there is a CLI to send to; undefined unless one is on its way. */
  #coming: Deferred<void> | undefined;
  #waits = false;
  #parked: boolean;
  #letGo: (() => void) | undefined;

  constructor(owner: SessionCliOwner, clis: SessionClis, parked: boolean) {
    this.id = owner.id;
    this.#owner = owner;
    this.#clis = clis;
    this.#parked = parked;
  }

  get launch(): SessionOptions {
    return this.#launch;
  }

  /** The session with the last CLI, whatever became of it. */
  get session(): Session | undefined {
    return this.#session;
  }

  get state(): CliState {
    if (this.#coming !== undefined) return this.#waits ? 'waiting' : 'starting';
    const inner = this.#session?.state;
    if (inner === undefined || inner === 'ended') return this.#parked ? 'parked' : 'none';
    return inner === 'starting' || inner === 'handshaking' ? 'starting' : 'connected';
  }

  /** Whether there is one, or will be soon. */
  get isOpen(): boolean {
    return this.state !== 'none' && this.state !== 'parked';
  }

  /** Whether it can be asked. */
  get isReady(): boolean {
    return this.#session?.state === 'ready';
  }

  /** The session with the CLI. @throws CoxswainError `SESSION_ENDED` where there is none that can be asked. */
  get connected(): Session {
    if (this.#session !== undefined && this.isReady) return this.#session;
    throw new CoxswainError('SESSION_ENDED', `The session is ${WHY_NOT[this.state]}.`);
  }

  /** The one before is of no interest any more. */
  forget(): void {
    this.#session = undefined;
    this.#parked = false;
    this.#waits = false;
  }

  /** Starts a CLI; resolves when it is ready. */
  async start(launch: SessionOptions): Promise<Session> {
    this.#launch = launch;
    const coming = deferred<void>();
    coming.promise.catch(() => {});
    this.#coming = coming;
    this.#owner.changed();
    try {
      return await this.#clis.start(this);
    } catch (error) {
      coming.reject(error);
      this.#coming = undefined;
      this.#parked = false;
      throw error;
    }
  }

  attached(session: Session): void {
    this.#session = session;
    this.#owner.attached(session);
    session.on('state', (state) => {
      if (state === 'ending') this.#parked = this.#clis.isParking(this.id);
      this.#owner.changed();
    });
    this.#coming?.resolve();
    this.#coming = undefined;
    this.#owner.changed();
  }

  waits(): void {
    this.#waits = true;
    this.#owner.changed();
  }

  /** Resolves when messages can be sent, where a CLI is on its way. */
  async untilSendable(): Promise<void> {
    await this.#coming?.promise;
  }

  /** Says whether the CLI is in use: one that is not may be parked. */
  use(isUsed: boolean): void {
    const isThere = this.#coming === undefined && (this.state === 'starting' || this.state === 'connected');
    if (isThere && isUsed) this.#letGo ??= this.#clis.hold(this.id);
    else {
      this.#letGo?.();
      this.#letGo = undefined;
    }
  }

  /** Ends the CLI, also one that is on its way; resolves when nothing is left running. */
  async close(): Promise<void> {
    if (this.#coming !== undefined) await this.#clis.end(this.id);
    await this.#session?.close();
    if (!this.#parked) return;
    this.#parked = false;
    this.#owner.changed();
  }
}

const WHY_NOT: Readonly<Record<CliState, string>> = {
  waiting: 'waiting until another one gives its place up',
  starting: 'still starting',
  connected: 'not connected to a CLI',
  none: 'not connected to a CLI',
  parked: 'parked: the next message starts its CLI again',
};
