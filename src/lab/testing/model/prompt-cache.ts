import { estimateTokens } from './message.js';
import { cacheable, type PromptPart } from './prompt.js';
import type { ReplyUsage } from './replies.js';

/** The API looks for an earlier entry at each mark, and in this many parts before it. */
const LOOK_BACK = 20;

/** A prompt cache that forgets nothing: which tokens of a request the API would read from it, and write to it. */
export class PromptCache {
  readonly #entries = new Set<string>();

  /** The token counts of a request, which is in the cache from now on. */
  count(model: string, prompt: readonly PromptPart[]): Omit<ReplyUsage, 'output_tokens'> {
    const parts = cacheable(prompt);
    const keys = keysOf(model, parts);
    const marks = parts.flatMap(({ cached }, at) => (cached === undefined ? [] : [at]));
    const read = Math.max(-1, ...marks.map((mark) => this.#hit(keys, mark)));
    const written = Math.max(read, ...marks);
    for (const mark of marks) this.#entries.add(keys[mark] ?? '');
    return {
      cache_read_input_tokens: tokensIn(parts.slice(0, read + 1)),
      cache_creation_input_tokens: tokensIn(parts.slice(read + 1, written + 1)),
      input_tokens: tokensIn(parts.slice(written + 1)),
    };
  }

  /** The last part of the longest entry that is found from a mark; -1 for none. */
  #hit(keys: readonly string[], mark: number): number {
    return keys.findLastIndex(
      (key, at) => at <= mark && at >= mark - LOOK_BACK && this.#entries.has(key),
    );
  }
}

/** A key for everything up to each part. */
function keysOf(model: string, parts: readonly PromptPart[]): readonly string[] {
  let key = model;
  return parts.map(({ digest }) => {
    key = `${key} ${digest}`;
    return key;
  });
}

function tokensIn(parts: readonly PromptPart[]): number {
  const characters = parts.reduce((sum, { size }) => sum + size, 0);
  return characters === 0 ? 0 : estimateTokens(characters);
}
