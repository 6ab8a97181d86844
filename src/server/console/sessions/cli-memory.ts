import type { MemoryView } from '../../../entry/remote/contract.js';
import type { TreeMemory } from '../../../wire/transport/process/process-memory.js';

/** How long a CLI may take to load; its memory before that says nothing about growth. */
const SETTLED_MS = 60_000;
/** The time span to compare, and the maximum number of samples to keep for it. */
const WINDOW_MS = 10 * 60_000;
const KEPT = 240;
/** What counts as growth: this much more than at the start of that span, in bytes and as a share. */
const GROWN_BYTES = 100 * 1024 ** 2;
const GROWN_SHARE = 0.25;
/** By which share the memory must change before it is reported again: small changes should not go to all clients. */
const TOLD_SHARE = 0.03;

/** When a CLI was measured, and its memory limit. */
export interface MemoryLook {
  readonly at: number;
  readonly limit: number;
}

/** One CLI's memory, watched over some minutes to distinguish a leak from a busy CLI. */
export class CliMemory {
  #view: MemoryView | undefined;
  #begun: number | undefined;
  #seen: { readonly at: number; readonly bytes: number }[] = [];

  /** The last reported value. */
  get view(): MemoryView | undefined {
    return this.#view;
  }

  /** Records the current value; returns whether it should be reported. */
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
