import type { Clock } from '../../../wire/util/clock.js';

/** Something that can pause and resume reading, such as a transport. */
export interface Valve {
  pause(): void;
  resume(): void;
}

/** The dependencies of {@link Flow}. */
export interface FlowOptions {
  readonly clock: Clock;
  /** Past this many buffered characters the session is ended. */
  readonly hardLimit: number;
  /** If nothing is read for this long, a pause is lifted for a while, to find a control frame behind the data. */
  readonly liftAfterMs: number;
  /** How much a lifted pause lets in before it applies again. */
  readonly liftStep: number;
  readonly onOverflow: (buffered: number) => void;
}

/**
 * Decides when the transport stops reading: when a buffer with a reader is full, but never while a
 * host request waits for its answer, because `await session.setModel()` inside a `for await` loop must not deadlock.
 */
export class Flow {
  readonly #options: FlowOptions;
  #valve: Valve | undefined;
  readonly #full = new Set<object>();
  #requests = 0;
  #buffered = 0;
  #liftedUntil: number | undefined;
  #cancelLift: (() => void) | undefined;
  #paused = false;
  #overflowed = false;

  constructor(options: FlowOptions) {
    this.#options = options;
  }

  /** Controls this transport from now on. */
  attach(valve: Valve): void {
    this.#valve = valve;
    this.#overflowed = false;
    this.#update();
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** A message was added to a buffer. */
  added(length: number): void {
    this.#buffered += length;
    if (this.#buffered > this.#options.hardLimit && !this.#overflowed) {
      this.#overflowed = true;
      this.#options.onOverflow(this.#buffered);
    }
    if (this.#liftedUntil !== undefined && this.#buffered > this.#liftedUntil) {
      this.#liftedUntil = undefined;
      this.#update();
    }
  }

  /** A message was read from a buffer, or dropped. */
  removed(length: number): void {
    this.#buffered -= length;
    if (this.#paused) this.#armLift();
  }

  /** A buffer that somebody reads is full. */
  full(buffer: object): void {
    if (this.#full.has(buffer)) return;
    this.#full.add(buffer);
    this.#update();
  }

  /** That buffer has room again, or lost its reader. */
  drained(buffer: object): void {
    if (!this.#full.delete(buffer)) return;
    if (this.#full.size === 0) this.#liftedUntil = undefined;
    this.#update();
  }

  /** What came in since a pause was lifted is enough. */
  endLift(): void {
    this.#liftedUntil = undefined;
    this.#update();
  }

  /** A host request was sent: reading must continue until it has ended. */
  requestBegan(): void {
    this.#requests += 1;
    this.#update();
  }

  /** A host request was answered or given up. */
  requestEnded(): void {
    this.#requests -= 1;
    this.#update();
  }

  /** The transport has ended; what is buffered still counts until it is read or dropped. */
  stop(): void {
    this.#valve = undefined;
    this.#disarmLift();
    this.#liftedUntil = undefined;
    this.#paused = false;
  }

  #update(): void {
    if (this.#valve === undefined) return;
    const pause = this.#full.size > 0 && this.#requests === 0 && this.#liftedUntil === undefined;
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) {
      this.#valve.pause();
      this.#armLift();
    } else {
      this.#disarmLift();
      this.#valve.resume();
    }
  }

  #armLift(): void {
    this.#disarmLift();
    this.#cancelLift = this.#options.clock.after(this.#options.liftAfterMs, () => {
      this.#liftedUntil = this.#buffered + this.#options.liftStep;
      this.#update();
    });
  }

  #disarmLift(): void {
    this.#cancelLift?.();
    this.#cancelLift = undefined;
  }
}
