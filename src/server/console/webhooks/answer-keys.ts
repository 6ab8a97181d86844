import { hashOf, makeSecret } from '../keys/key.js';

/** What a key's holder may answer, once. */
export interface AnswerRight {
  readonly conversation: string;
  readonly prompt: string;
  /** The webhook that received it. */
  readonly webhook: string;
  readonly expiresAt: number;
}

/** How long a key is valid, and how many are valid at a time. */
const LIFE_MS = 3_600_000;
const MOST = 1_000;

/** Keys that answer one prompt, once. They end with the server, like the prompts. */
export class AnswerKeys {
  readonly #now: () => number;
  readonly #rights = new Map<string, AnswerRight>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(right: Omit<AnswerRight, 'expiresAt'>): { readonly key: string; readonly expiresAt: number } {
    const key = makeSecret();
    const expiresAt = this.#now() + LIFE_MS;
    this.#rights.set(hashOf(key), { ...right, expiresAt });
    const [oldest] = this.#rights.keys();
    if (this.#rights.size > MOST && oldest !== undefined) this.#rights.delete(oldest);
    return { key, expiresAt };
  }

  /** Uses up a key: a second caller gets nothing. */
  take(key: string): AnswerRight | undefined {
    const hash = hashOf(key);
    const right = this.#rights.get(hash);
    this.#rights.delete(hash);
    return right === undefined || right.expiresAt <= this.#now() ? undefined : right;
  }

  /** An answer that the prompt does not accept does not use up the key. */
  giveBack(key: string, right: AnswerRight): void {
    this.#rights.set(hashOf(key), right);
  }

  /** The prompt is no longer open. */
  forget(prompt: string): void {
    for (const [hash, right] of this.#rights) if (right.prompt === prompt) this.#rights.delete(hash);
  }
}
