/** How many answers to remember, and how many characters of them. */
const KEPT = 10_000;
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Remembers the answers to commands by id, so a repeated command has no effect. Bounded. */
export class CommandMemory {
  readonly #answers = new Map<string, Promise<string>>();
  readonly #lengths = new Map<string, number>();
  #characters = 0;

  find(id: string): Promise<string> | undefined {
    return this.#answers.get(id);
  }

  /** Remembers an answer, even while it is still pending. */
  keep(id: string, answer: Promise<string>): void {
    this.#answers.set(id, answer);
    void answer.then((text) => {
      this.#lengths.set(id, text.length);
      this.#characters += text.length;
      this.#forget();
    });
  }

  /** Only settled answers are forgotten, the oldest first. */
  #forget(): void {
    for (const [id, length] of this.#lengths) {
      if (this.#lengths.size <= KEPT && this.#characters <= KEPT_CHARACTERS) return;
      this.#lengths.delete(id);
      this.#answers.delete(id);
      this.#characters -= length;
    }
  }
}
