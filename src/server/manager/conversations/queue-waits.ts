import type { Clock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';

/** What a conversation's messages wait for without a CLI; `queued` is for turns of others, which may spend what is left of a budget. */
export type WaitsFor = 'limited' | 'paused' | 'deferred' | 'queued';

/** Why a wait ended early: the queue was stopped, or nothing is waiting any more. */
export type CutShort = 'stopped' | 'emptied';

/** The waits of one queue, one at a time: each ends when the queue is stopped or empty. */
export class QueueWaits {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  /** Ends the current wait. */
  #cut: ((why: CutShort) => void) | undefined;
  #waiting = deferred<void>();
  #waitsFor: WaitsFor | undefined;
  #stop: 'no' | 'left' | 'dropped' = 'no';

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get waitsFor(): WaitsFor | undefined {
    return this.#waitsFor;
  }

  get stopped(): boolean {
    return this.#stop !== 'no';
  }

  /** Whether what waits is for the next manager. */
  get leaves(): boolean {
    return this.#stop !== 'dropped';
  }

  /** Resolves when the conversation waits for something without a CLI. */
  get untilWaiting(): Promise<void> {
    return this.#waiting.promise;
  }

  /** Ends every wait, including later ones. What waits is left for the next manager, unless it was dropped. */
  stop(how: 'left' | 'dropped' = 'left'): void {
    if (this.#stop !== 'dropped') this.#stop = how;
    this.#cut?.('stopped');
  }

  /** Nothing is left to wait for. */
  emptied(): void {
    this.#cut?.('emptied');
  }

  /** Waits for something; meanwhile, the conversation is in this state. */
  async for<T>(what: Promise<T>, as?: WaitsFor): Promise<T | CutShort> {
    // One for each wait: a promise that lives longer would keep the results of all of them.
    const cut = deferred<CutShort>();
    this.#cut = cut.resolve;
    if (this.stopped) cut.resolve('stopped');
    this.#become(as);
    const found = await Promise.race([what, cut.promise]);
    this.#cut = undefined;
    this.#become(undefined);
    return found;
  }

  /** The same, for at most this long. */
  async within<T>(ms: number, what: Promise<T>, as?: WaitsFor): Promise<T | 'over' | CutShort> {
    const over = deferred<'over'>();
    const stopTimer = this.#clock.after(ms, () => over.resolve('over'));
    return this.for(Promise.race([what, over.promise]), as).finally(stopTimer);
  }

  async pause(ms: number, as?: WaitsFor): Promise<'over' | CutShort> {
    return this.within(ms, new Promise<never>(() => {}), as);
  }

  #become(waitsFor: WaitsFor | undefined): void {
    if (waitsFor === this.#waitsFor) return;
    this.#waitsFor = waitsFor;
    if (waitsFor === undefined) this.#waiting = deferred();
    else this.#waiting.resolve();
    this.#onChange();
  }
}
