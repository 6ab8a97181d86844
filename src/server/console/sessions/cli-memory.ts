import type { MemoryView } from '../../../entry/remote/contract.js';
import type { TreeMemory } from '../../../wire/transport/process/process-memory.js';

/** How long a CLI may take to load itself; what it takes until then says nothing of growth. */
const SETTLED_MS = 60_000;
/** Over how long it is compared, and how many looks of that time are kept at most. */
const WINDOW_MS = 10 * 60_000;
const KEPT = 240;
/** What counts as growing: so much more than at the beginning of that time, in bytes and as a share. */
const GROWN_BYTES = 100 * 1024 ** 2;
const GROWN_SHARE = 0.25;
/** By which share the memory changes before it is told again: a few pages are nothing that all clients should hear of. */
const TOLD_SHARE = 0.03;

/** When a CLI was looked at, and from how much on it takes too much. */
export interface MemoryLook {
  readonly at: number;
  readonly limit: number;
}

/** What one CLI takes, watched over some minutes to tell one that grows from one that has much to do. */
export class CliMemory {
  #view: MemoryView | undefined;
  #begun: number | undefined;
  #seen: { readonly at: number; readonly bytes: number }[] = [];

  /** What was told last. */
  get view(): MemoryView | undefined {
    return this.#view;
  }

  /** Notes what it takes now; says whether that is worth telling. */
  note({ bytes, processes }: TreeMemory, { at, limit }: MemoryLook): boolean {
    this.#keep(at, bytes);
    const told = this.#view;
    const now = { bytes, processes, growing: this.#isGrowing(), over: bytes > limit };
    const isSame =
      told !== undefined &&
      Math.abs(bytes - told.bytes) < told.bytes * TOLD_SHARE &&
      told.processes === processes &&
      told.growing === now.growing &&
      told.over === now.over;
    if (!isSame) this.#view = now;
    return !isSame;
  }

  #keep(at: number, bytes: number): void {
    this.#begun ??= at;
    if (at - this.#begun < SETTLED_MS) return;
    this.#seen.push({ at, bytes });
    this.#seen = this.#seen.filter((look) => at - look.at <= WINDOW_MS).slice(-KEPT);
  }

  #isGrowing(): boolean {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)];
    if (first === undefined || last === undefined) return false;
    return last.bytes - first.bytes >= Math.max(GROWN_BYTES, first.bytes * GROWN_SHARE);
  }
}
