import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { numberIn, readTokens } from '../../../wire/protocol/reading/token-count.js';

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

/** How much of a conversation the API still has in its prompt cache, as far as its CLI's messages say. */
export class WarmContext {
  #tokens = 0;
  #lifetimeMs = FIVE_MINUTES;
  #usedAt = Number.NEGATIVE_INFINITY;

  /** A message of the CLI. Each model call keeps what it reads warm; subagents have contexts of their own. */
  take({ type, message, parent_tool_use_id: parent }: WireObject, now: number): void {
    if (type !== 'assistant' || typeof parent === 'string' || !isObject(message)) return;
    const { cacheReadInputTokens: read, cacheCreationInputTokens: written } = readTokens(message.usage);
    if (read + written === 0) return;
    if (written > 0) this.#lifetimeMs = lifetimeOf(message.usage);
    this.#tokens = read + written;
    this.#usedAt = now;
  }

  /** How many tokens are still cached. */
  tokensAt(now: number): number {
    return this.warmMs(now) > 0 ? this.#tokens : 0;
  }

  /** For how long, in milliseconds. */
  warmMs(now: number): number {
    return Math.max(0, this.#usedAt + this.#lifetimeMs - now);
  }
}

/** The API says which kind of cache was written. The CLI decides that, by login and version. */
function lifetimeOf(usage: unknown): number {
  const written = isObject(usage) && isObject(usage.cache_creation) ? usage.cache_creation : {};
  return numberIn(written, 'ephemeral_1h_input_tokens') > 0 ? HOUR : FIVE_MINUTES;
}
