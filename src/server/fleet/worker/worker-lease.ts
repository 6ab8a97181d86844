import type { Clock } from '../../../wire/util/clock.js';
import { type Engine, failedAs } from '../engine/engine.js';
import { waitFor } from '../engine/persist.js';

/** The dependencies of a {@link WorkerLease}. */
export interface WorkerLeaseParts {
  readonly engine: Engine;
  readonly worker: string;
  readonly seconds: number;
  readonly clock: Clock;
  /** What others know about the worker. */
  readonly facts: () => object;
  /** Called after a renewal: the lease is valid for this many more milliseconds. */
  readonly onRenewed: (ms: number) => void;
  /** Called when the lease could not be renewed: everything that depends on it must end now. */
  readonly onLost: () => void;
}

/**
 * The time left on a lease when its worker gives up: enough to end its CLIs before another worker may
 * continue.
 */
const MARGIN = 0.25;

/**
 * A worker's lease, as others see it: a key that expires unless it is renewed. It uses the monotonic clock, counted
 * from before a renewal is sent, so the worker gives up before the engine does.
 */
export class WorkerLease {
  readonly #parts: WorkerLeaseParts;
  readonly #end = new AbortController();
  #revision = 0;
  #deadline = 0;
  #wake = new AbortController();

  constructor(parts: WorkerLeaseParts) {
    this.#parts = parts;
  }

  /** Acquires the lease; from now on it is renewed. */
  async start(): Promise<void> {
    await this.#renew();
    void this.#keep();
  }

  /** Whether it is held for certain, counted from the last renewal: until then nobody else may act. */
  get isHeld(): boolean {
    return !this.#end.signal.aborted && this.#parts.clock.now() < this.#deadline;
  }

  /** Called when the facts have changed: notifies others immediately. */
  changed(): void {
    this.#wake.abort();
  }

  /** Releases the lease: others are notified immediately. */
  async end(): Promise<void> {
    this.#end.abort();
    this.#wake.abort();
    const { engine, worker } = this.#parts;
    if (engine.isConnected()) await engine.leases.remove(worker).catch(() => {});
  }

  async #keep(): Promise<void> {
    const { seconds, clock, onLost } = this.#parts;
    const { signal } = this.#end;
    const often = (seconds * 1000) / RENEWALS;
    let pause = often;
    let failures = 0;
    while (!signal.aborted) {
      // Its end aborts this too.
      this.#wake = new AbortController();
      const left = Math.max(0, this.#deadline - clock.now());
      await waitFor(Math.min(pause, left), { clock, signal: this.#wake.signal });
      if (signal.aborted) return;
      const renewed = await this.#tryRenew();
      if (signal.aborted) return;
      if (renewed === 'lost' || clock.now() >= this.#deadline) {
        this.#end.abort();
        onLost();
        return;
      }
      pause = renewed === 'done' ? often : RETRY_MS;
      failures = renewed === 'done' ? 0 : failures + 1;
      if (failures === FAILURES) await this.#changeServer();
    }
  }

  /** A server that was stopped or cut off answers pings long before it takes writes again; others of its cluster may be well. */
  async #changeServer(): Promise<void> {
    // The deadline decides whether that was in vain.
    await this.#parts.engine.changeServer().catch(() => {});
  }

  async #tryRenew(): Promise<'done' | 'failed' | 'lost'> {
    try {
      await this.#renew();
      return 'done';
    } catch (error) {
      // Without an answer it is tried again as it is: a cluster may be choosing a leader.
      return failedAs(error, 'refused') ? this.#findRevision() : 'failed';
    }
  }

  /** A write may have been accepted although its answer was lost; nobody else writes this key. */
  async #findRevision(): Promise<'failed' | 'lost'> {
    const { engine, worker } = this.#parts;
    try {
      const { value, revision } = await engine.leases.find(worker);
      // It cannot have expired before the deadline, so the engine has lost it: its store is an older copy.
      if (value === undefined && !this.isHeld) return 'lost';
      this.#revision = revision;
    } catch {
      // The engine is unreachable: the deadline decides.
    }
    return 'failed';
  }

  async #renew(): Promise<void> {
    const { engine, worker, seconds, clock, facts, onRenewed } = this.#parts;
    const sent = clock.now();
    const left = this.#revision === 0 ? 5_000 : Math.max(1, this.#deadline - sent);
    this.#revision = await engine.leases.put(worker, JSON.stringify(facts()), {
      seconds,
      revision: this.#revision,
      timeoutMs: Math.min(left, (seconds * 1000) / 3, ANSWER_MS),
    });
    this.#deadline = sent + seconds * 1000 * (1 - MARGIN);
    onRenewed(this.#deadline - clock.now());
  }
}

/** How often a lease is renewed in its time. */
const RENEWALS = 6;
/** How long to wait for the answer to a renewal, and until the next try. */
const ANSWER_MS = 2_000;
const RETRY_MS = 200;
/** After this many failures in a row, another server is tried. A cluster has usually chosen a leader before. */
const FAILURES = 3;
