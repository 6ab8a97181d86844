/** Why a conversation is stopped from outside. */
export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGPIPE' | 'timeout';

/** The actions of {@link StopSequence}, from gentle to forceful. */
export interface StopSteps {
  /** Whether there is a turn to interrupt. */
  readonly running: () => boolean;
  /** Interrupts the running turn and resolves when it is over; rejects if that fails. */
  readonly interrupt: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly kill: (exitCode: number) => void;
  /** Says what is happening, and what comes next. */
  readonly say: (text: string) => void;
  /** Runs something later; returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** How long a turn may take to end after an interrupt with a deadline. */
const DRAIN_MS = 5_000;

/** Ctrl-C interrupts, then closes, then kills. Any other signal interrupts and closes. */
export class StopSequence {
  readonly #steps: StopSteps;
  #step = 0;
  #reason: StopReason | undefined;
  #stopTimer: () => void = () => {};

  constructor(steps: StopSteps) {
    this.#steps = steps;
  }

  /** The first reason; undefined if there is none. */
  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** The exit code for the reason. */
  get exitCode(): number | undefined {
    return this.#reason === undefined ? undefined : EXIT_CODES[this.#reason];
  }

  take(reason: StopReason): void {
    this.#reason ??= reason;
    this.#step = this.#steps.running() ? this.#step + 1 : Math.max(2, this.#step + 1);
    if (this.#step >= 3) this.#kill();
    else if (this.#step === 2) this.#close(reason);
    else if (reason === 'SIGINT') this.#interrupt();
    else this.#drain(reason);
  }

  /** The conversation is over: clear all timers. */
  stop(): void {
    this.#stopTimer();
  }

  #interrupt(): void {
    this.#steps.say(`${WORDS.SIGINT}: interrupting the turn. Ctrl-C again closes the session.`);
    this.#steps.interrupt().catch(() => {
      // A CLI that does not respond to an interrupt is ended.
      if (this.#step === 1) this.#closeNow();
    });
  }

  #drain(reason: StopReason): void {
    this.#step = 2;
    this.#steps.say(`${WORDS[reason]}: interrupting the turn.`);
    this.#stopTimer = this.#steps.after(DRAIN_MS, () => this.#closeNow());
    const close = () => this.#closeNow();
    this.#steps.interrupt().then(close, close);
  }

  #close(reason: StopReason): void {
    this.#steps.say(`${WORDS[reason]}: closing the session. Ctrl-C kills the CLI immediately.`);
    this.#closeNow();
  }

  #closeNow(): void {
    this.#stopTimer();
    this.#steps.close().catch(() => {});
  }

  #kill(): void {
    this.#steps.say('Killing the CLI.');
    this.#steps.kill(this.exitCode ?? 1);
  }
}

const WORDS: Readonly<Record<StopReason, string>> = {
  SIGINT: 'Ctrl-C',
  SIGTERM: 'SIGTERM',
  SIGHUP: 'The terminal was closed',
  SIGPIPE: 'stdout was closed',
  timeout: 'Time limit reached',
};

/** The exit code for each reason. */
export const EXIT_CODES: Readonly<Record<StopReason, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  SIGPIPE: 141,
  timeout: 3,
};
