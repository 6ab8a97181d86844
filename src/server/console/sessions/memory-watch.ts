import { type ReadTreeMemory, readTreeMemory } from '../../../wire/transport/process/process-memory.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { CliMemory } from './cli-memory.js';

/** A session, as far as its memory goes. */
export interface HasMemory {
  /** The process of its CLI, while there is one. */
  readonly pid: number | undefined;
  readonly memory: CliMemory;
}

/** What {@link MemoryWatch} works with. */
export interface MemoryWatchOptions<Session extends HasMemory> {
  readonly sessions: () => readonly Session[];
  readonly clock: Clock;
  /** From how much on a CLI with its processes takes too much, in bytes. */
  readonly limit: number;
  /** A session takes another amount than was told before. */
  readonly onChange: (session: Session) => void;
  readonly read?: ReadTreeMemory | undefined;
}

/** How often the memory of the CLIs is looked at. */
const EVERY_MS = 5_000;

/** Looks at the memory of all CLIs now and then, while somebody is there to see it. */
export class MemoryWatch<Session extends HasMemory> {
  readonly #options: MemoryWatchOptions<Session>;
  readonly #read: ReadTreeMemory;
  #watched = false;
  #looking = false;
  #callOff: () => void = () => {};

  constructor(options: MemoryWatchOptions<Session>) {
    this.#options = options;
    this.#read = options.read ?? readTreeMemory;
  }

  /** Somebody is there, or nobody any more. */
  set watched(watched: boolean) {
    if (watched === this.#watched) return;
    this.#watched = watched;
    this.#callOff();
    if (watched && !this.#looking) void this.#look();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      await this.#note();
    } catch {
      // A table that cannot be read tells nothing; the next one may.
    }
    this.#looking = false;
    if (this.#watched) this.#callOff = this.#options.clock.after(EVERY_MS, () => void this.#look());
  }

  async #note(): Promise<void> {
    const { sessions, limit, clock, onChange } = this.#options;
    const running = sessions().filter(({ pid }) => pid !== undefined);
    if (running.length === 0) return;
    const found = await this.#read(running.flatMap(({ pid }) => pid ?? []));
    for (const session of running) {
      const memory = session.pid === undefined ? undefined : found.get(session.pid);
      if (memory !== undefined && session.memory.note(memory, { at: clock.now(), limit })) onChange(session);
    }
  }
}
