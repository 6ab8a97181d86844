import { isObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { Engine, KeyState } from '../engine/engine.js';
import { waitFor } from '../engine/persist.js';
import { Placer } from './placer.js';
import { PLACER } from './worker-list.js';

/** The dependencies of a {@link PlacerElection}. */
export interface ElectionParts {
  readonly engine: Engine;
  readonly worker: string;
  readonly seconds: number;
  readonly clock: Clock;
}

/** How long others wait after the key is gone before they try: all of them notice at the same time. */
const RETRY_MS = 100;
/** After an absence of the engine, all workers start again at about the same time, and store first what they kept. */
const OTHERS_MS = 3_000;

/** Elects the one worker that assigns conversations: the one with the key, which expires unless it is renewed. */
export class PlacerElection {
  readonly #parts: ElectionParts;
  readonly #end = new AbortController();
  #placer: Placer | undefined;
  #revision = 0;
  #work: Promise<void> = Promise.resolve();
  /** When conversations of other workers may be taken. */
  #mayTakeFrom = 0;

  constructor(parts: ElectionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#mayTakeFrom = this.#parts.clock.now() + OTHERS_MS;
    this.#work = this.#run();
  }

  /** Steps down; others are notified immediately. */
  async close(): Promise<void> {
    const wasPlacer = this.#placer !== undefined;
    this.leave();
    // A write would wait for an engine that is away; the key expires anyway.
    if (wasPlacer && this.#parts.engine.isConnected())
      await this.#parts.engine.leases.remove(PLACER, this.#revision).catch(() => {});
    await this.#work;
  }

  /** Steps down silently, because the engine is away: others notice when the key expires. */
  leave(): void {
    this.#end.abort();
    this.#stepDown();
  }

  async #run(): Promise<void> {
    const { seconds, clock } = this.#parts;
    const { signal } = this.#end;
    let deadline = 0;
    while (!signal.aborted) {
      const sent = clock.now();
      if (await this.#tryWrite()) {
        deadline = sent + seconds * 1000;
        if (this.#placer === undefined && !signal.aborted) this.#stepUp();
      } else if (this.#placer !== undefined && clock.now() >= deadline) this.#stepDown();
      const isPlacer = this.#placer !== undefined;
      await (isPlacer ? waitFor((seconds * 1000) / 3, { clock, signal }) : this.#untilFree());
    }
  }

  async #tryWrite(): Promise<boolean> {
    const { engine, worker, seconds } = this.#parts;
    try {
      if (this.#placer === undefined) await this.#findRevision();
      const timeoutMs = (seconds * 1000) / 3;
      this.#revision = await engine.leases.put(PLACER, JSON.stringify({ worker }), {
        seconds,
        revision: this.#revision,
        timeoutMs,
      });
      return true;
    } catch {
      return false;
    }
  }

  /** @throws if another worker has the key. */
  async #findRevision(): Promise<void> {
    const { engine, worker } = this.#parts;
    const { revision, value } = await engine.leases.find(PLACER);
    this.#revision = revision;
    if (value !== undefined && !(isObject(value) && value.worker === worker))
      throw new Error('Another process assigns conversations.');
  }

  /** Resolves when the key may be free; also polls, in case a message was missed. */
  async #untilFree(): Promise<void> {
    const { engine, clock, seconds } = this.#parts;
    const { signal } = this.#end;
    const free = new AbortController();
    const look = ({ value }: KeyState) => {
      if (value === undefined) free.abort();
    };
    // Without it, polling is enough. Nothing waits for it: it may never begin if the engine is closed meanwhile.
    const watching = engine.leases.watch(look, PLACER).catch(() => () => {});
    await waitFor((seconds * 1000) / 2, { clock, signal: AbortSignal.any([signal, free.signal]) });
    void watching.then((stop) => stop());
    await waitFor(engine.random() * RETRY_MS, { clock, signal });
  }

  #stepUp(): void {
    const placer = new Placer(this.#parts.engine, this.#parts.clock, this.#mayTakeFrom);
    this.#placer = placer;
    // If the engine is unreachable now, the next attempt may succeed.
    void placer.start().catch(() => this.#stepDown());
  }

  #stepDown(): void {
    this.#placer?.close();
    this.#placer = undefined;
  }
}
