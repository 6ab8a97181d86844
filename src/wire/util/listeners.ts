/** Listeners by event. What a listener throws reaches nobody else. */
export class Listeners<Events extends object> {
  readonly #byEvent = new Map<keyof Events, Set<(value: never) => void>>();

  /** Adds a listener; the returned function removes it. */
  on<Event extends keyof Events>(event: Event, listener: (value: Events[Event]) => void): () => void {
    const guarded = quiet(listener);
    const listeners = this.#byEvent.get(event) ?? new Set();
    this.#byEvent.set(event, listeners);
    listeners.add(guarded);
    return () => listeners.delete(guarded);
  }

  emit<Event extends keyof Events>(event: Event, value: Events[Event]): void {
    const listeners = this.#byEvent.get(event) as Set<(value: Events[Event]) => void> | undefined;
    if (listeners === undefined) return;
    for (const listener of [...listeners]) listener(value);
  }
}

/**
 * Wraps a user's callback that only listens: what it throws, or rejects with later, must reach neither the
 * reading loop nor the process.
 */
export function quiet<A extends readonly unknown[]>(
  listener: ((...args: A) => unknown) | undefined,
): (...args: A) => void {
  if (listener === undefined) return () => {};
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // A listener's failure is its own.
    }
  };
}
