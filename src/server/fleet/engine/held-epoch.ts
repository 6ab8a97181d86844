import { errorCode } from '../../../wire/util/error-text.js';
import { type Engine, EngineError, failedAs } from './engine.js';
import { type Epoch, isSuperseded, type LastEpoch, lastEpoch, takeEpoch } from './epochs.js';

/** The dependencies of a {@link HeldEpoch}. */
export interface HeldEpochParts {
  readonly engine: Engine;
  readonly worker: string;
  readonly epoch: Epoch;
  /** The name of this owner's numbers: it distinguishes two epochs that got the same sequence. */
  readonly series: string;
  /** When the epoch before it was granted; 0 if there was none. */
  readonly since: number;
  /** Whether the worker's lease lives for certain: as long as it does, nobody else may have taken the conversation. */
  readonly isLeased: () => boolean;
}

/**
 * The epoch of a live owner. If the engine has forgotten it, because its store is an older copy, the owner takes the next
 * one: it still has its lease, so it knows more than anybody who would go on from that copy.
 */
export class HeldEpoch implements Epoch {
  readonly session: string;
  readonly series: string;
  readonly #parts: HeldEpochParts;
  #sequence: number;
  #isGivenUp = false;
  /** The connection with which it was the last one. */
  #confirmed: number;

  constructor(parts: HeldEpochParts) {
    this.#parts = parts;
    this.session = parts.epoch.session;
    this.series = parts.series;
    this.#sequence = parts.epoch.sequence;
    this.#confirmed = parts.engine.connections();
  }

  get sequence(): number {
    return this.#sequence;
  }

  giveUp(): void {
    this.#isGivenUp = true;
  }

  async confirm(): Promise<void> {
    const { engine } = this.#parts;
    // An answer may be of a connection before: the process was stopped, or the network slow.
    while (engine.connections() !== this.#confirmed) {
      const connections = engine.connections();
      if ((await this.look(await lastEpoch(engine, this.session), 0)) !== 'held')
        throw new EngineError('refused', 'The epoch is not the last one.');
      this.#confirmed = connections;
    }
  }

  async look(last: LastEpoch | undefined, elapsedMs: number): ReturnType<NonNullable<Epoch['look']>> {
    const { since, isLeased } = this.#parts;
    if (last?.series === this.series) {
      this.#sequence = last.sequence;
      return 'held';
    }
    if (last !== undefined && (last.sequence > this.#sequence || last.at > since)) return 'over';
    if (!this.#isGivenUp && isLeased()) return this.#takeAgain(last, elapsedMs);
    return isSuperseded(this, last, elapsedMs) ? 'over' : 'unclear';
  }

  /** A leader that has yet to catch up refuses this. */
  async #takeAgain(last: LastEpoch | undefined, elapsedMs: number): Promise<'held' | 'over' | 'unclear'> {
    const { engine, worker } = this.#parts;
    const { session, series } = this;
    try {
      const taken = await takeEpoch(engine, session, { worker, series, after: last?.sequence ?? 0 });
      this.#sequence = taken.sequence;
      return 'held';
    } catch (error) {
      if (errorCode(error) !== 'FLEET_FENCED' && !failedAs(error, 'unready')) throw error;
      return isSuperseded(this, last, elapsedMs) && last !== undefined ? 'over' : 'unclear';
    }
  }
}
