import type { Clock } from '../../../wire/util/clock.js';

/** The dependencies of {@link Watchdog}. */
export interface WatchdogOptions {
  readonly clock: Clock;
  /** How long a running turn may be silent; `Infinity` for no limit. */
  readonly stallMs: number;
  /** Whether a turn runs and nothing explains its silence. */
  readonly shouldHear: () => boolean;
  readonly onStall: (quietMs: number) => void;
}

/** Notices a silent turn if no tool, prompt, retry or background work explains it. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  #heardAt: number;
  #stopTimer: (() => void) | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#heardAt = options.clock.now();
  }

  /** The CLI sent something, or its activity changed. */
  noteActivity(): void {
    this.#heardAt = this.#options.clock.now();
    // One timer serves many messages: when it fires, it checks how long the silence really was.
    if (this.#stopTimer === undefined) this.#arm(this.#options.stallMs);
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #arm(ms: number): void {
    if (!Number.isFinite(ms)) return;
    this.#stopTimer = this.#options.clock.after(ms, () => this.#look());
  }

  #look(): void {
    this.#stopTimer = undefined;
    if (!this.#options.shouldHear()) return;
    const quietMs = this.#options.clock.now() - this.#heardAt;
    if (quietMs < this.#options.stallMs) {
      this.#arm(this.#options.stallMs - quietMs);
      return;
    }
    // Checks again: the reaction to a stall may not help.
    this.noteActivity();
    this.#options.onStall(quietMs);
  }
}
