import type { Session } from '../../../host/session/session.js';
import { deferred } from '../../../wire/util/deferred.js';
import { type CliEnd, type CliState, type CliStep, nextCliState } from '../../conversation/states.js';
import { asError } from './crashes.js';
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
  /** The CLI is gone, and what it had is not settled yet. */
  gone(end: CliEnd): void;
  /** Resolves when that is settled, or waits for the next CLI. */
  returned(): Promise<void>;
  /** Nothing is left of the CLI, and this is why. */
  ended(end: CliEnd): void;
  changed(): void;
}

/** The CLI of one conversation: none, waiting for a slot, or running. */
export class ConversationCli {
  readonly #owner: CliOwner;
  readonly #around: Surroundings;
  /** The session of its CLI, until nothing of that is left. */
  #session: Session | undefined;
  #opening: Promise<Session | undefined> | undefined;
  #leave: (() => void) | undefined;
  #ahead: (() => number | undefined) | undefined;
  /** Resolves when nothing of its last CLI is left. */
  #ending: Promise<void> | undefined;
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

  /** The session of its CLI from its start until nothing is left of it. */
  get attached(): Session | undefined {
    return this.#session;
  }

  /** Whether its CLI is running or starting, with the options that it has now. */
  get isTaken(): boolean {
    return this.session !== undefined || this.#state === 'starting';
  }

  /** Whether its CLI ends, or is gone and something of it is left. */
  get isEnding(): boolean {
    return this.#state === 'ending' || this.#state === 'settling';
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
    // Whoever asked for it learns why it did not start.
    await this.#opening?.catch(() => {});
    await this.park();
  }

  /** Ends the CLI and releases its slot; resolves when nothing of it is left. */
  async park(): Promise<void> {
    this.leaveLine();
    const session = this.#session;
    if (session !== undefined && !this.isEnding) {
      this.#step('close-asked');
      this.#ending = this.#end(session);
    }
    await this.#ending;
  }

  /** If its CLI is ending, resolves when nothing of it is left. */
  async untilGone(): Promise<void> {
    await this.#ending;
  }

  /** Ends the CLI, even if it is about to start, and starts none until some work is done. */
  async parkFor(work: () => Promise<void>): Promise<void> {
    const held = deferred<void>();
    this.#held = held.promise;
    try {
      await this.park();
      // One that is about to start; others wait. Whoever asked for it learns why it did not.
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
    await this.#ending;
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
      this.#failed(error);
      throw error;
    }
  }

  /** It did not start. One that was never there leaves nothing behind. */
  #failed(error: unknown): void {
    if (this.#state !== 'starting') return;
    if (this.#session === undefined) this.#release();
    else this.#ending = this.#left({ why: 'lost', error: this.#session.failure ?? asError(error) });
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
      if (state !== 'ended' || session !== this.#session || this.isEnding) return;
      this.#ending = this.#left({ why: 'lost', error: session.failure });
    });
  }

  async #end(session: Session): Promise<void> {
    // A session that cannot be closed has ended.
    await session.close().catch(() => {});
    await this.#left({ why: this.#closed ? 'closed' : 'parked', error: undefined });
  }

  /** The CLI is gone. What it had decides what its conversation does next. */
  async #left(end: CliEnd): Promise<void> {
    this.#step('gone');
    this.#owner.gone(end);
    await this.#owner.returned();
    this.#owner.ended(end);
    this.#session = undefined;
    this.#release();
  }

  #release(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    this.#ahead = undefined;
    this.#step('settled');
    if (leave === undefined) return;
    leave();
    this.#around.pool.fillSoon();
  }

  #step(step: CliStep): void {
    this.#state = nextCliState(this.#state, step);
    this.#owner.changed();
  }
}
