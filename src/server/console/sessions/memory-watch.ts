import { type ReadTreeMemory, readTreeMemory } from '../../../wire/transport/process/process-memory.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { CliMemory } from './cli-memory.js';

/** The parts of a session that matter for memory. */
export interface HasMemory {
  /** The CLI's process, if there is one. */
  readonly pid: number | undefined;
  readonly memory: CliMemory | undefined;
}

/** The dependencies of {@link MemoryWatch}. */
export interface MemoryWatchOptions<Session extends HasMemory> {
  readonly sessions: () => readonly Session[];
  readonly clock: Clock;
  /** The memory limit for a CLI with its child processes, in bytes. */
  readonly limit: number;
  /** A session's memory differs from the last report. */
  readonly onChange: (session: Session) => void;
  readonly read?: ReadTreeMemory | undefined;
}

/** How often to measure the CLIs' memory. */
const EVERY_MS = 5_000;

/** Measures the memory of all CLIs periodically, while a client is connected. */
export class MemoryWatch<Session extends HasMemory> {
  readonly #options: MemoryWatchOptions<Session>;
  readonly #read: ReadTreeMemory;
  #watched = false;
  #looking = false;
  #stopTimer: () => void = () => {};

  constructor(options: MemoryWatchOptions<Session>) {
    this.#options = options;
    this.#read = options.read ?? readTreeMemory;
  }

  /** The first client has connected, or the last one has left. */
  set watched(watched: boolean) {
    if (watched === this.#watched) return;
    this.#watched = watched;
    this.#stopTimer();
    if (watched && !this.#looking) void this.#look();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      await this.#note();
    } catch {
      // An unreadable process table says nothing; the next one may.
    }
    this.#looking = false;
    if (this.#watched) this.#stopTimer = this.#options.clock.after(EVERY_MS, () => void this.#look());
  }

  async #note(): Promise<void> {
    const { sessions, limit, clock, onChange } = this.#options;
    const running = sessions().filter(({ pid }) => pid !== undefined);
    if (running.length === 0) return;
    const found = await this.#read(running.flatMap(({ pid }) => pid ?? []));
    for (const session of running) {
      const memory = session.pid === undefined ? undefined : found.get(session.pid);
      if (memory === undefined) continue;
      if (session.memory?.note(memory, { at: clock.now(), limit }) === true) onChange(session);
    }
  }
}
