/**
 * A one-time cancellation. Its signal is created on demand: a signal costs more than the rest of a request, and most
 * are never used.
 */
export class Cancellation {
  #controller: AbortController | undefined;
  #listeners: (() => void)[] | undefined;
  #reason: unknown;
  #cancelled = false;

  /** Whether it was cancelled. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** The same as an AbortSignal, created on demand. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Cancels; only the first reason counts. */
  cancel(reason?: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    // Our own listeners first, so that code woken by the signal sees the final state.
    for (const run of listeners) run();
    this.#controller?.abort(reason);
  }

  /** Runs a function on cancellation, immediately; the returned function removes it. */
  onCancel(run: () => void): () => void {
    if (this.#cancelled) return () => {};
    this.#listeners ??= [];
    this.#listeners.push(run);
    return () => {
      const index = this.#listeners?.indexOf(run) ?? -1;
      if (index >= 0) this.#listeners?.splice(index, 1);
    };
  }
}
