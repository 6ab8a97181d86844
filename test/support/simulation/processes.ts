import type { Clock } from '../../../src/wire/util/clock.js';
import type { EngineUser } from './memory-engine.js';
import type { World } from './world.js';

/** A process of a simulation: it can be stopped for a while, and killed. */
export class SimProcess implements EngineUser {
  readonly clock: Clock;
  readonly #world: World;
  readonly #onKill: (() => void)[] = [];
  readonly #timers = new Set<object>();
  #isKilled = false;
  #stoppedUntil = 0;

  constructor(world: World) {
    this.#world = world;
    this.clock = { now: () => world.now(), after: (ms, run) => this.#after(ms, run) };
  }

  readonly isAlive = (): boolean => !this.#isKilled;

  get isStopped(): boolean {
    return this.#world.now() < this.#stoppedUntil;
  }

  /** How many timers it has. */
  get timers(): number {
    return this.#timers.size;
  }

  soon(run: () => void): void {
    if (this.isStopped) this.#after(0, run);
    else if (!this.#isKilled) run();
  }

  /** Nothing of it happens for this long. */
  stop(ms: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.#world.now() + ms);
  }

  kill(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    this.#timers.clear();
    for (const listener of this.#onKill) listener();
  }

  onKill(listener: () => void): void {
    this.#onKill.push(listener);
  }

  #after(ms: number, run: () => void): () => void {
    if (this.#isKilled || !Number.isFinite(ms)) return () => {};
    const timer = {};
    this.#timers.add(timer);
    const fire = () => {
      if (!this.#timers.has(timer)) return;
      if (this.isStopped) {
        callOff = this.#world.after(this.#stoppedUntil - this.#world.now(), fire);
        return;
      }
      this.#timers.delete(timer);
      run();
    };
    let callOff = this.#world.after(ms, fire);
    return () => {
      this.#timers.delete(timer);
      callOff();
    };
  }
}
