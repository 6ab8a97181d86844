import type { Session } from '../../../host/session/session.js';
import type { ConversationCli } from './conversation-cli.js';
import type { Surroundings } from './surroundings.js';

/** What {@link Parking} needs from its conversation. */
export interface ParkingOwner {
  /** Whether it has a message that does not wait for a budget decision. */
  readonly isBusy: boolean;
}

/** Ends a conversation's CLI after it was idle for a while; reports the idle time. */
export class Parking {
  readonly #messages: ParkingOwner;
  readonly #cli: ConversationCli;
  readonly #around: Surroundings;
  #viewers = 0;
  #callOffTimer: (() => void) | undefined;
  #idleSince: number | undefined;

  constructor(messages: ParkingOwner, cli: ConversationCli, around: Surroundings) {
    this.#messages = messages;
    this.#cli = cli;
    this.#around = around;
  }

  /** How long it has been idle, if it could be parked; undefined if not. */
  get idleMs(): number | undefined {
    if (!this.isPossible(true) || this.#idleSince === undefined) return undefined;
    return this.#around.clock.now() - this.#idleSince;
  }

  /** Whether nothing would be interrupted. */
  isPossible(unlessWatched: boolean): boolean {
    const { session } = this.#cli;
    if (session === undefined || this.#messages.isBusy) return false;
    return session.waitingFor.length === 0 && !(unlessWatched && this.#viewers > 0);
  }

  /** Keeps the CLI running while someone is watching; the returned function undoes that. */
  watch(): () => void {
    this.#viewers += 1;
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      this.#viewers -= 1;
      this.becameIdle();
    };
  }

  /** Nothing is left to do: the idle time starts. */
  becameIdle(): void {
    this.callOff();
    const { session } = this.#cli;
    if (session === undefined) return;
    session.settled().then(
      () => this.#startTimer(session),
      () => {},
    );
  }

  callOff(): void {
    this.#callOffTimer?.();
  }

  async end(): Promise<void> {
    this.callOff();
    this.#idleSince = undefined;
    await this.#cli.park();
  }

  #startTimer(session: Session): void {
    if (session !== this.#cli.session || !this.isPossible(true)) return;
    const { clock, options, idle } = this.#around;
    this.#idleSince = clock.now();
    this.callOff();
    this.#callOffTimer = clock.after(options.idleMs, () => {
      if (this.isPossible(true)) void this.end();
    });
    idle();
  }
}
