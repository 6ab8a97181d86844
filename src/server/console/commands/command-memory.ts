/** How many results to remember, and about how many bytes of them. */
const KEPT = 10_000;
const KEPT_BYTES = 16 * 1024 * 1024;

/** Remembers the results of commands by id, so a repeated command has no effect. Bounded. */
export class CommandMemory<Result> {
  readonly #isClear: (result: Result) => boolean;
  readonly #results = new Map<string, Promise<Result>>();
  readonly #weights = new Map<string, number>();
  #bytes = 0;

  /** `isClear` says whether a result tells what the command did; one that does not is forgotten, and the command is asked again. */
  constructor(isClear: (result: Result) => boolean) {
    this.#isClear = isClear;
  }

  find(id: string): Promise<Result> | undefined {
    return this.#results.get(id);
  }

  /** Remembers a result, even while it is still pending. */
  keep(id: string, result: Promise<Result>): void {
    this.#results.set(id, result);
    void result.then((settled) => {
      if (!this.#isClear(settled)) {
        this.#results.delete(id);
        return;
      }
      const weight = weightOf(settled);
      this.#weights.set(id, weight);
      this.#bytes += weight;
      this.#forget();
    });
  }

  /** Only settled results are forgotten, the oldest first. */
  #forget(): void {
    for (const [id, weight] of this.#weights) {
      if (this.#weights.size <= KEPT && this.#bytes <= KEPT_BYTES) return;
      this.#weights.delete(id);
      this.#results.delete(id);
      this.#bytes -= weight;
    }
  }
}

/** An object without fields, and a field without its name. */
const OBJECT_BYTES = 64;
const FIELD_BYTES = 8;

/** About how much memory plain data takes. A loop, since it may be nested deeply. */
function weightOf(value: unknown): number {
  const parts = [value];
  let weight = 0;
  for (const next of parts) {
    if (typeof next === 'string') weight += next.length;
    if (typeof next !== 'object' || next === null) continue;
    weight += OBJECT_BYTES;
    for (const [key, each] of Object.entries(next)) {
      weight += FIELD_BYTES + key.length;
      parts.push(each);
    }
  }
  return weight;
}
