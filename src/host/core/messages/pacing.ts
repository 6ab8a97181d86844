import type { Flow } from './flow.js';

/** Resolves when a CLI may send more; undefined if it may now. */
export type Pace = () => Promise<void> | undefined;

/** Lets a CLI wait while whoever keeps its output cannot keep up: its pipe fills up, and it stops. */
export class Pacing {
  readonly #flow: Pick<Flow, 'full' | 'drained' | 'endLift'>;
  readonly #pace: Pace;
  #isWaiting = false;

  constructor(flow: Pick<Flow, 'full' | 'drained' | 'endLift'>, pace: Pace) {
    this.#flow = flow;
    this.#pace = pace;
  }

  /** A message was received. */
  received(): void {
    if (this.#isWaiting) {
      this.#flow.endLift();
      return;
    }
    const wait = this.#pace();
    if (wait === undefined) return;
    this.#isWaiting = true;
    this.#flow.full(this);
    const goOn = () => {
      this.#isWaiting = false;
      this.#flow.drained(this);
    };
    // Why it failed is reported where it is kept.
    wait.then(goOn, goOn);
  }
}
