/** Listeners by event. An exception in one of them does not reach the others. */
export class Listeners<Events extends object> {
  readonly #byEvent = new Map<keyof Events, Set<(value: never) => void>>();
  readonly #onFailure: (name: string, error: unknown) => void;

  /** `onFailure` gets the listener that threw, or rejected later, and the error. */
  constructor(onFailure: (name: string, error: unknown) => void = () => {}) {
    this.#onFailure = onFailure;
  }

  /** Adds a listener, with a name for its failures; the returned function removes it. */
  on<Event extends keyof Events>(
    event: Event,
    listener: (value: Events[Event]) => void,
    name = `on('${String(event)}')`,
  ): () => void {
    const guarded = quiet(listener, (error) => this.#onFailure(name, error));
    const listeners = this.#byEvent.get(event) ?? new Set();
    this.#byEvent.set(event, listeners);
    listeners.add(guarded);
    return () => listeners.delete(guarded);
  }

  /** Whether there is any listener. */
  has(event: keyof Events): boolean {
    return (this.#byEvent.get(event)?.size ?? 0) > 0;
  }

  emit<Event extends keyof Events>(event: Event, value: Events[Event]): void {
    const listeners = this.#byEvent.get(event) as Set<(value: Events[Event]) => void> | undefined;
    if (listeners === undefined) return;
    for (const listener of [...listeners]) listener(value);
  }
}

/**
 * Wraps a user's callback that only listens: an exception, or a later rejection, must reach neither the
 * reading loop nor the process. `onFailure` gets it.
 */
export function quiet<A extends readonly unknown[]>(
  listener: ((...args: A) => unknown) | null | undefined,
  onFailure: (error: unknown) => void = () => {},
): (...args: A) => void {
  if (listener === undefined || listener === null) return () => {};
  return (...args) => {
    try {
      const result = listener(...args);
      // It may be a promise, of any realm.
      if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(onFailure);
    } catch (error) {
      onFailure(error);
    }
  };
}
