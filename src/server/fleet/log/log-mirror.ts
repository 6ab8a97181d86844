import type { Clock } from '../../../wire/util/clock.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import { fileLine, type LogEntry } from '../../console/log/entry.js';
import type { ServedLog } from '../../console/sessions/served-session.js';
import { isPassing } from '../../conversation/events.js';
import { addresses, type Engine, EngineError } from '../engine/engine.js';
import { type Epoch, refusalIsFinal } from '../engine/epochs.js';
import { persist } from '../engine/persist.js';
import { headOf, makeBatch } from './batches.js';
import { storeBlob } from './blobs.js';
import { maskSecrets } from './mask-secrets.js';

/** The dependencies of a {@link LogMirror}. */
export interface LogMirrorParts {
  readonly engine: Engine;
  readonly epoch: Epoch;
  /** The name of this owner's numbers. */
  readonly series: string;
  readonly log: ServedLog & { readonly written: number };
  readonly clock: Clock;
  /** The first number that the engine lacks. */
  readonly from: number;
  /** Called when another worker owns the conversation. */
  readonly onFenced: () => void;
  /** Called when the engine has not stored an entry for a while. */
  readonly onLate?: (() => void) | undefined;
  /** Called when the engine had lost events, and has them again; with the numbers of the first and the last one. */
  readonly onLost?: ((first: number, last: number) => void) | undefined;
  /** Called when the disk with the entries cannot be read for a while. */
  readonly onUnread?: (() => void) | undefined;
}

/** How long to wait for an answer. One that was lost with a connection does not come, and the engine knows what it has stored. */
const ACK_MS = 2_000;

/**
 * Copies a conversation's log to the engine: a position in the log that advances as the engine accepts entries. If it
 * accepts none, they wait in the log, on disk. There is one write at a time, containing everything that arrived
 * meanwhile, so a retry cannot change the order. If the engine's store is older than before, the position goes back, and
 * what was lost is stored again.
 */
export class LogMirror {
  readonly #parts: LogMirrorParts;
  readonly #most: number;
  readonly #unwatch: () => void;
  readonly #end = new AbortController();
  #next: number;
  #kept: number;
  /** The connection and the epoch with which the engine's store was last compared. */
  #compared: string;
  #waiting: { readonly n: number; readonly done: Deferred<void> }[] = [];
  #busy = false;
  /** How many of the characters added since the start were passed on. */
  #passed: number;

  constructor(parts: LogMirrorParts) {
    this.#parts = parts;
    this.#most = parts.engine.mostBytes;
    this.#next = parts.from;
    this.#kept = parts.from - 1;
    this.#compared = this.#comparison;
    // Earlier entries do not count: nobody waits for them.
    this.#passed = parts.from > 1 ? parts.log.written : 0;
    this.#unwatch = parts.log.watch(() => this.#wake());
    this.#wake();
  }

  /** The last number that the engine has. */
  get kept(): number {
    return this.#kept;
  }

  /** The last event that the engine has of this owner; undefined if it has none. */
  get stored(): { readonly last: number; readonly series: string } | undefined {
    const { from, series } = this.#parts;
    return this.#kept < from ? undefined : { last: this.#kept, series };
  }

  /** How many entries the engine lacks. */
  get behind(): number {
    return this.#parts.log.last - this.#next + 1;
  }

  /** How many characters the engine lacks. */
  get charactersBehind(): number {
    return this.behind <= 0 ? 0 : Math.max(0, this.#parts.log.written - this.#passed);
  }

  /** Resolves when the engine has everything that is in the log now, or when this has ended. */
  async flushed(): Promise<void> {
    const n = this.#parts.log.last;
    if (this.#isOver || this.#next > n) return;
    const done = deferred<void>();
    this.#waiting.push({ n, done });
    await done.promise;
  }

  /** Compares the engine's store with this if it may be an older copy. */
  verify(): void {
    this.#wake();
  }

  /** Stops: entries that the engine lacks are no longer written. */
  close(): void {
    this.#end.abort();
    this.#unwatch();
    this.#settle();
  }

  get #isOver(): boolean {
    return this.#end.signal.aborted;
  }

  #wake(): void {
    if (this.#busy || this.#isOver) return;
    this.#busy = true;
    void this.#pump().finally(() => {
      this.#busy = false;
      if (this.behind > 0) this.#wake();
    });
  }

  async #pump(): Promise<void> {
    const { log } = this.#parts;
    // Entries that belong together are added one after the other, and must not be in two writes.
    await Promise.resolve();
    const { clock } = this.#parts;
    await persist(() => this.#compare(), { clock, signal: this.#end.signal });
    while (!this.#isOver && this.behind > 0) {
      const entries = (log.recent(this.#next) ?? (await this.#stored())).map(maskSecrets);
      // No event has begun a new series yet, or what the engine lacks was deleted from disk, and is lost.
      if (entries.length === 0) this.#skipTo(log.firstRecent);
      else await this.#take(entries);
    }
    // Masking changes the length of entries.
    if (this.behind <= 0) this.#passed = log.written;
  }

  /** Goes back to what the engine has, if that is less than it had acknowledged; resolves with whether it did. */
  async #compare(): Promise<boolean> {
    const { engine, epoch, onLost } = this.#parts;
    const comparison = this.#comparison;
    if (comparison === this.#compared) return false;
    const end = await engine.logs.last({ session: epoch.session, part: 'events' });
    // The answer is of a connection before.
    if (comparison !== this.#comparison) return this.#compare();
    const stored = end?.head?.last ?? 0;
    const lost = this.#kept;
    if (stored < lost) {
      this.#kept = stored;
      this.#next = stored + 1;
    }
    this.#compared = comparison;
    if (stored < lost) onLost?.(stored + 1, lost);
    return stored < lost;
  }

  /** With each new connection the store may be an older copy, and it is if the epoch had to be taken again. */
  get #comparison(): string {
    return `${this.#parts.engine.connections()} ${this.#parts.epoch.sequence}`;
  }

  #skipTo(n: number): void {
    this.#next = n;
    this.#settle();
  }

  /** Entries that are only on disk; none if it ends before they are read. */
  async #stored(): Promise<readonly LogEntry[]> {
    const { clock, onUnread: onLate } = this.#parts;
    let entries: readonly LogEntry[] = [];
    const read = async () => {
      entries = await this.#readStored();
    };
    await persist(read, { clock, signal: this.#end.signal, onLate });
    return entries;
  }

  async #readStored(): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    let characters = 0;
    for await (const entry of this.#parts.log.stored(this.#next)) {
      entries.push(entry);
      characters += entry.rest.length;
      if (characters > this.#most) break;
    }
    return entries;
  }

  async #take(entries: readonly LogEntry[]): Promise<void> {
    let left = entries;
    while (left.length > 0 && !this.#isOver) {
      const isLive = isPassing(left[0] as LogEntry);
      const end = left.findIndex((entry) => isPassing(entry) !== isLive);
      const run = end === -1 ? left : left.slice(0, end);
      if (isLive) this.#tellLive(run);
      // The engine has lost earlier ones.
      else if (!(await this.#keep(run))) return;
      this.#passed += left.reduce((sum, { n, rest }) => sum + (n < this.#next ? rest.length : 0), 0);
      left = left.filter(({ n }) => n >= this.#next);
      this.#settle();
    }
  }

  /** Partial messages are for current viewers only. */
  #tellLive(run: readonly LogEntry[]): void {
    const { engine, epoch, series } = this.#parts;
    const { text, last } = makeBatch(run, this.#most);
    const head = JSON.stringify({ series, after: this.#kept });
    // The whole message follows soon: a piece that is too long is left out.
    const fits = Buffer.byteLength(text) <= this.#most;
    if (fits) engine.bus.publish(addresses.viewers(epoch.session), `${head}\n${text}`);
    this.#next = last + 1;
  }

  /**
   * Writes one batch, with retries. It is the same each time: the engine recognizes it by its id. Resolves with whether it
   * is stored: if the position went back, earlier entries come first.
   */
  async #keep(run: readonly LogEntry[]): Promise<boolean> {
    const { engine, epoch, series, clock, onFenced, onLate } = this.#parts;
    const [first] = run as readonly [LogEntry];
    const isLong = Buffer.byteLength(fileLine(first)) > this.#most;
    const write = async () => {
      // It would be sent with the next connection, before it is known what is stored there.
      if (!engine.isConnected()) throw new EngineError('unready', 'NATS is away.');
      await epoch.confirm?.();
      if (await this.#compare()) return false;
      const entries = isLong ? [await storeBlob(engine, epoch, first)] : run;
      const batch = makeBatch(entries, this.#most);
      await engine.logs.append({ session: epoch.session, part: 'events' }, batch.text, {
        id: `${epoch.session}:${epoch.sequence}:${series}:${batch.first}`,
        head: headOf(batch, { series, after: this.#kept }),
        epoch: epoch.sequence,
        timeoutMs: ACK_MS,
      });
      this.#kept = batch.last;
      this.#next = batch.last + 1;
      return true;
    };
    let isStored = false;
    const writeOnce = async () => {
      isStored = await write();
    };
    const isFinal = refusalIsFinal(engine, epoch);
    const how = await persist(writeOnce, { clock, signal: this.#end.signal, onLate, isFinal });
    if (how === 'refused') {
      this.close();
      onFenced();
    }
    return isStored;
  }

  #settle(): void {
    const isDone = ({ n }: { readonly n: number }) => this.#isOver || n < this.#next;
    for (const { done } of this.#waiting.filter(isDone)) done.resolve();
    this.#waiting = this.#waiting.filter((each) => !isDone(each));
  }
}
