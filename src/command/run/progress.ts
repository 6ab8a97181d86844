import type { Clock } from '../../wire/util/clock.js';
import { count, dollars, wholeSeconds } from '../../wire/util/numbers.js';
import type { Screen } from '../terminal/screen.js';

/** What the live line shows. */
export interface ProgressFacts {
  /** Tokens so far. */
  readonly tokens: number;
  /** Cost so far; CLIs report it only at the end of a turn. */
  readonly costUsd: number | undefined;
  readonly tool: string | undefined;
  /** What it is waiting for, in words; undefined while a person is being asked. */
  readonly waitingFor: string | undefined;
}

/** The dependencies of {@link Progress}. */
export interface ProgressOptions {
  readonly screen: Screen;
  readonly clock: Clock;
  readonly facts: () => ProgressFacts;
  /** Whether printing is disabled. */
  readonly quiet: boolean;
}

const LIVE_TICK_MS = 120;
const TICK_MS = 1_000;
/** After this much silence, people want to know what is going on. */
const SILENCE_MS = 10_000;

/** Shows progress: a live line on a terminal, and a sentence after a long silence anywhere. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #began: number;
  #heardAt: number;
  #nextSayMs = SILENCE_MS;
  #tick = 0;
  #stopTimer: () => void = () => {};

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#began = options.clock.now();
    this.#heardAt = this.#began;
    if (!options.quiet) this.#schedule();
  }

  /** Something was printed. */
  noteActivity(): void {
    this.#heardAt = this.#options.clock.now();
    this.#nextSayMs = SILENCE_MS;
  }

  stop(): void {
    this.#stopTimer();
    this.#options.screen.status('');
  }

  #schedule(): void {
    const { clock, screen } = this.#options;
    this.#stopTimer = clock.after(screen.live ? LIVE_TICK_MS : TICK_MS, () => {
      this.#show();
      this.#schedule();
    });
  }

  #show(): void {
    const { clock, screen, facts } = this.#options;
    const { waitingFor, ...rest } = facts();
    if (waitingFor === undefined) {
      this.noteActivity();
      return;
    }
    const silentMs = clock.now() - this.#heardAt;
    if (screen.live) this.#showLive({ ...rest, waitingFor: silentMs >= SILENCE_MS ? waitingFor : undefined });
    else if (silentMs >= this.#nextSayMs) this.#say(waitingFor, silentMs);
  }

  #showLive({ tokens, costUsd, tool, waitingFor }: ProgressFacts): void {
    const { clock, screen } = this.#options;
    const { spinner, dot } = screen.look;
    this.#tick += 1;
    if (waitingFor !== undefined) screen.leaveLine();
    const parts = [
      wholeSeconds(clock.now() - this.#began),
      `${count(tokens)} tokens`,
      costUsd === undefined ? '$?' : dollars(costUsd),
      ...(waitingFor === undefined ? (tool === undefined ? [] : [tool]) : [`waiting for ${waitingFor}`]),
    ];
    screen.status(`${spinner[this.#tick % spinner.length]} ${parts.join(` ${dot} `)}`);
  }

  /** In a log every sentence stays, so each one waits twice as long as the previous one. */
  #say(waitingFor: string, silentMs: number): void {
    this.#options.screen.note(`Waiting for ${waitingFor}, ${wholeSeconds(silentMs)} without output.`);
    this.#nextSayMs *= 2;
  }
}
