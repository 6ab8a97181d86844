import type { Session } from '../../../host/session/session.js';
import { deferred } from '../../../wire/util/deferred.js';
import { type CliEnd, type CliState, type CliStep, nextCliState } from '../../conversation/states.js';
import type { Surroundings } from './surroundings.js';
import type { Claim } from './warm-pool.js';

/** What {@link ConversationCli} needs from its conversation. */
export interface CliOwner {
  readonly owner: string;
  readonly priority: number;
  /** A suitable CLI that was started in advance, if there is one. */
  claim(): Claim | undefined;
  /** Creates the session, resuming if there is something to resume. */
  start(): Promise<Session>;
  /** A CLI is about to be used: subscribe to it. */
  attached(session: Session): void;
  /** It no longer has a CLI. */
  gone(): void;
  /** The CLI has ended, and this is why. */
  ended(end: CliEnd): void;
  changed(): void;
}

/** The CLI of one conversation: none, waiting for a slot, or running. */
export class ConversationCli {
  readonly #owner: CliOwner;
  readonly #around: Surroundings;
  #session: Session | undefined;
  #opening: Promise<Session | undefined> | undefined;
  #leave: (() => void) | undefined;
  #ahead: (() => number | undefined) | undefined;
  #parking: Promise<void> | undefined;
  /** No CLI is started until this resolves. */
  #held: Promise<void> | undefined;
  #state: CliState = 'none';
  #closed = false;

  constructor(owner: CliOwner, around: Surroundings) {
    this.#owner = owner;
    this.#around = around;
  }

  get state(): CliState {
    return this.#state;
  }

  /** The session of the running CLI. */
  get session(): Session | undefined {
    return this.#state === 'running' ? this.#session : undefined;
  }

  /** Whether its CLI is running or starting, with the options that it has now. */
  get isTaken(): boolean {
    return this.session !== undefined || this.#state === 'starting';
  }

  /** How many are ahead of it; undefined unless it has to wait for a slot. */
  get ahead(): number | undefined {
    return this.#state === 'queued' ? this.#ahead?.() : undefined;
  }

  /** The running session, or a new one once there is a slot; undefined if it left the queue. */
  open(): Promise<Session | undefined> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Leaves the queue, if it is in one. */
  leaveLine(): void {
    if (this.#state === 'queued') this.#leave?.();
  }

  /** Ends the CLI permanently, even if it is about to start. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.park();
    await this.#opening?.catch(() => {});
    await this.park();
  }

  /** Ends the CLI and releases its slot. */
  async park(): Promise<void> {
    this.leaveLine();
    const session = this.#session;
    if (session === undefined) return this.#parking;
    this.#session = undefined;
    this.#step('close-asked');
    this.#parking = this.#end(session);
    await this.#parking;
  }

  /** Ends the CLI, even if it is about to start, and starts none until some work is done. */
  async parkFor(work: () => Promise<void>): Promise<void> {
    const held = deferred<void>();
    this.#held = held.promise;
    try {
      await this.park();
      // One that is about to start; others wait.
      if (this.#state !== 'none') await this.#opening?.catch(() => {});
      await this.park();
      await work();
    } finally {
      this.#held = undefined;
      // The caller may close it first.
      setImmediate(held.resolve);
    }
  }

  async #open(): Promise<Session | undefined> {
    await this.#parking;
    while (this.#held !== undefined) await this.#held;
    if (this.#closed) return undefined;
    if (this.session !== undefined) return this.session;
    const claim = this.#owner.claim();
    if (claim === undefined && !(await this.#place())) return undefined;
    if (claim !== undefined) {
      this.#leave = claim.leave;
      this.#step('placed');
    }
    try {
      const session = claim?.session ?? (await this.#owner.start());
      this.#session = session;
      if (this.#closed) await this.park();
      this.#watch(session);
      await session.ready;
      this.#step('connected');
      return session;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async #place(): Promise<boolean> {
    const place = this.#around.places.request(this.#owner);
    let left = false;
    this.#leave = () => {
      left = true;
      place.leave();
    };
    this.#ahead = () => place.ahead;
    this.#step('asked');
    // A slot that was granted in this tick may be given back before the wait ends.
    const isGranted = (await place.granted) && !left && !this.#closed;
    // Immediately: what is no longer queued cannot leave the queue.
    if (isGranted) this.#step('placed');
    else this.#release();
    return isGranted;
  }

  #watch(session: Session): void {
    this.#owner.attached(session);
    session.on('state', (state) => {
      if (state !== 'ended' || session !== this.#session) return;
      this.#session = undefined;
      this.#release();
      this.#owner.ended({ why: 'lost', error: session.failure });
    });
  }

  async #end(session: Session): Promise<void> {
    await session.close().catch(() => {});
    this.#release();
    this.#owner.ended({ why: this.#closed ? 'closed' : 'parked', error: undefined });
  }

  #release(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    this.#ahead = undefined;
    this.#session = undefined;
    this.#owner.gone();
    this.#step('gone');
    if (leave === undefined) return;
    leave();
    this.#around.pool.fillSoon();
  }

  #step(step: CliStep): void {
    this.#state = nextCliState(this.#state, step);
    this.#owner.changed();
  }
}
