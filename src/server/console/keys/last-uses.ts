import { kinds, shapeOf } from '../../../wire/util/option-checks.js';
import { StoredList } from './stored-list.js';

/** When and from where something was used last. */
export interface LastUse {
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** The address of the client, or of the proxy in front of the server. */
  readonly from?: string | undefined;
}

interface StoredUse extends LastUse {
  /** The hash of a key's token or of a browser's secret. */
  readonly hash: string;
}

/** The file in the state folder. */
export const USES_FILE = 'last-uses.json';
/** How often a new time is worth a write. */
const PAUSE_MS = 60_000;
const MOST = 1_000;

const aUse = shapeOf(
  { hash: kinds.text, at: kinds.number, from: kinds.text },
  { required: ['hash', 'at'], hasOthers: true },
);

/** The last use of each key and each browser. */
export class LastUses {
  readonly #list: StoredList<StoredUse>;
  readonly #uses: Map<string, LastUse>;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(path: string) {
    this.#list = new StoredList({ path, kind: aUse });
    this.#uses = new Map(this.#list.all.map(({ hash, ...use }) => [hash, use]));
  }

  /** What is wrong with the file, in words. */
  get problems(): readonly string[] {
    return this.#list.problems;
  }

  find(hash: string): LastUse | undefined {
    return this.#uses.get(hash);
  }

  note(hash: string, use: LastUse): void {
    // The latest are last.
    this.#uses.delete(hash);
    this.#uses.set(hash, use);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > MOST && oldest !== undefined) this.#uses.delete(oldest);
    if (use.at - this.#writtenAt >= PAUSE_MS) this.#write(use.at);
  }

  /** Writes what is not on disk yet. */
  close(): void {
    if (this.#writtenAt > Number.NEGATIVE_INFINITY) this.#write(this.#writtenAt);
  }

  #write(now: number): void {
    this.#writtenAt = now;
    try {
      this.#list.write([...this.#uses].map(([hash, use]) => ({ hash, ...use })));
    } catch {
      // A full disk keeps nobody out.
    }
  }
}
