/** How many answers are remembered, and how many characters of them. */
const KEPT = 10_000;
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Remembers the answers to commands by their ids, so that one that comes again takes no effect. Bounded. */
export class CommandMemory {
  readonly #answers = new Map<string, Promise<string>>();
  readonly #lengths = new Map<string, number>();
  #characters = 0;

  find(id: string): Promise<string> | undefined {
    return this.#answers.get(id);
  }

  /** Remembers an answer, also while it is still being made. */
  keep(id: string, answer: Promise<string>): void {
    this.#answers.set(id, answer);
    void answer.then((text) => {
      this.#lengths.set(id, text.length);
      this.#characters += text.length;
      this.#forget();
    });
  }

  /** Only what was answered is forgotten, the oldest first. */
  #forget(): void {
    for (const [id, length] of this.#lengths) {
      if (this.#lengths.size <= KEPT && this.#characters <= KEPT_CHARACTERS) return;
      this.#lengths.delete(id);
      this.#answers.delete(id);
      this.#characters -= length;
    }
  }
}
