import type { Session } from '../../../host/session/session.js';
import type { SettledOptions } from '../../../host/session/turns/settling.js';
import { waitAtMost } from '../../../host/session/turns/wait-at-most.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ConversationCli } from './conversation-cli.js';
import type { Surroundings } from './surroundings.js';
import { WarmContext } from './warm-context.js';

/** What {@link Parking} needs from its conversation. */
export interface ParkingOwner {
  /** Whether it has a message that needs its CLI now. */
  readonly isBusy: boolean;
  /** Resolves when it has none. */
  quiet(): Promise<void>;
}

/** A context of this many tokens is worth a CLI that idles: about what a CLI's own prompt and tools take. */
const LARGE_TOKENS = 20_000;

/** Ends a conversation's CLI after it was idle for a while; reports the idle time. */
export class Parking {
  readonly #messages: ParkingOwner;
  readonly #cli: ConversationCli;
  readonly #around: Surroundings;
  readonly #context = new WarmContext();
  #viewers = 0;
  #isUsed = false;
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

  /** How many tokens its next CLI may have to send at full price; 0 if parking does not go by that. */
  get tokensAtStake(): number {
    const { clock, options } = this.#around;
    return options.parkBy === 'cost' ? this.#context.tokensAt(clock.now()) : 0;
  }

  /** A message of its CLI. */
  heard(message: WireObject): void {
    this.#context.take(message, this.#around.clock.now());
  }

  /** Whether nothing would be interrupted. */
  isPossible(unlessWatched: boolean): boolean {
    const { session } = this.#cli;
    if (session === undefined || this.#messages.isBusy) return false;
    if (!session.isSettled || session.waitingFor.length > 0) return false;
    return !(unlessWatched && (this.#viewers > 0 || this.#isUsed));
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

  /** The same, for the one that the conversation has for something of its own. */
  use(isUsed: boolean): void {
    if (isUsed === this.#isUsed) return;
    this.#isUsed = isUsed;
    if (!isUsed) this.becameIdle();
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

  /** Ends the CLI when nothing is left to do. */
  async park(options: SettledOptions = {}): Promise<void> {
    const late = () => `The conversation was still busy after ${options.deadlineMs} ms.`;
    const texts = { clock: this.#around.clock, late, aborted: 'Parking was aborted.' };
    if (this.#cli.state !== 'none') await waitAtMost(this.#quiet(), options, texts);
    if (this.isPossible(false)) await this.end();
  }

  /**
   * Ends the CLI after its messages, unless it has other work, and starts none until something is done; returns whether
   * it was done.
   */
  async parkUnlessBusy(work: () => Promise<void>): Promise<boolean> {
    if (this.#cli.state !== 'none') await this.#messages.quiet();
    if (this.isPossible(false)) await this.end();
    if (this.#cli.state !== 'none') return false;
    await this.#cli.parkFor(work);
    return true;
  }

  /** There is something to do: it is no longer idle. */
  callOff(): void {
    this.#callOffTimer?.();
    this.#idleSince = undefined;
  }

  async end(): Promise<void> {
    this.callOff();
    await this.#cli.park();
  }

  async #quiet(): Promise<void> {
    await this.#messages.quiet();
    await this.#cli.session?.settled();
  }

  #startTimer(session: Session): void {
    if (session !== this.#cli.session || !this.isPossible(true)) return;
    const { clock, options, makeRoom } = this.#around;
    this.callOff();
    this.#idleSince = clock.now();
    this.#endAfter(options.idleMs);
    makeRoom();
  }

  /** A large context that is still cached stays until it is not. */
  #endAfter(ms: number): void {
    const { clock } = this.#around;
    this.#callOffTimer = clock.after(ms, () => {
      if (!this.isPossible(true)) return;
      if (this.tokensAtStake < LARGE_TOKENS) void this.end();
      else this.#endAfter(this.#context.warmMs(clock.now()));
    });
  }
}
