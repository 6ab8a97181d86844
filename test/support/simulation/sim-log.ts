import type { Position } from '../../../src/entry/remote/contract.js';
import { type LogEntry, plainLine, stamp } from '../../../src/server/console/log/entry.js';
import { isOneSeries } from '../../../src/server/console/log/event-log.js';
import type { Clock } from '../../../src/wire/util/clock.js';

/** How long it takes a busy machine to read a log. */
const DISK_MS = 300;

/** The log of a session: what an earlier owner wrote is on disk, the rest in memory. */
export class SimLog {
  readonly #disk: readonly LogEntry[];
  readonly #clock: Clock;
  readonly #entries: LogEntry[] = [];
  readonly #watchers = new Set<() => void>();
  #last: number;
  #isClosed = false;
  written = 0;

  constructor(disk: readonly LogEntry[], last: number, clock: Clock) {
    this.#disk = disk;
    this.#last = last;
    this.#clock = clock;
  }

  get last(): number {
    return this.#last;
  }

  get first(): number {
    return this.#disk[0]?.n ?? this.firstRecent;
  }

  get firstRecent(): number {
    return this.#entries[0]?.n ?? this.#last + 1;
  }

  add(event: object): number {
    if (this.#isClosed) return this.#last;
    this.#last += 1;
    const entry = stamp(plainLine(event), this.#last, Math.floor(this.#clock.now()));
    this.#entries.push(entry);
    this.written += entry.rest.length;
    for (const watcher of this.#watchers) watcher();
    return this.#last;
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  recent(from: number): readonly LogEntry[] | undefined {
    return from < this.firstRecent ? undefined : this.#entries.filter(({ n }) => n >= from);
  }

  async *stored(from: number): AsyncGenerator<LogEntry, void, undefined> {
    await new Promise<void>((resolve) => void this.#clock.after(DISK_MS, resolve));
    yield* this.#disk.filter(({ n }) => n >= from);
  }

  async startOfTail(): Promise<number> {
    return this.first;
  }

  readonly losses = 0;

  async has({ after }: Position): Promise<boolean> {
    return after <= this.#last;
  }

  isGap(next: number, found: number): boolean {
    return !isOneSeries(next, found);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}
